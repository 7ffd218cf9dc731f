// Types of mqtt-peer.mjs.

export function startMqttPeer(): Promise<{
	readonly port: number;
	readonly connects: readonly { id: string; username: string | undefined; password: string | undefined }[];
	close(): Promise<void>;
}>;
