// Types of peer-server.mjs.

export function startPeerServer(options?: { tls?: boolean }): Promise<{ readonly port: number; close(): Promise<void> }>;
export function manyBytes(count: number): string;
