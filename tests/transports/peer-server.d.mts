// Types of peer-server.mjs.

export function startPeerServer(options?: { tls?: boolean; ports?: object }): Promise<{ readonly port: number; close(): Promise<void> }>;
export function manyBytes(count: number): string;
