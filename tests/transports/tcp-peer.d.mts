// Types of tcp-peer.mjs.

export function startTcpPeer(): Promise<{ readonly port: number; close(): Promise<void> }>;
