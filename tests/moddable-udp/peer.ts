// The other side of the scenarios of clock and names in Moddable's simulator: prints `PORT n` and serves until it is killed.

import { startDatagramPeer } from "../system/datagram-peer.js";

const { port } = await startDatagramPeer();
console.log(`PORT ${port}`);
