export function startHttpPeer(): Promise<{ port: number; close(): Promise<unknown> }>;
