// The server's side of the tests in Moddable's simulator: `node peer.mjs` prints `PORT n` and serves until it is killed.

import { startPeerServer } from "../transports/peer-server.mjs";

const { port } = await startPeerServer({ tls: true });
console.log(`PORT ${port}`);
