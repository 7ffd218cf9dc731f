// The server's side of the HTTP scenarios in Moddable's simulator: prints `PORT n` and serves until it is killed.

import { startHttpPeer } from "../http/peer.mjs";

const { port } = await startHttpPeer();
console.log(`PORT ${port}`);
