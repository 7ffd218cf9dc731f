// The servers' side of the tests in Moddable's simulator: `node peer.mjs` prints `PORT n` and serves until it is killed.

import { startMqttPeer } from "../transports/mqtt-peer.mjs";
import { startPeerServer } from "../transports/peer-server.mjs";
import { startTcpPeer } from "../transports/tcp-peer.mjs";

const [mqtt, tcp] = [await startMqttPeer(), await startTcpPeer()];
const { port } = await startPeerServer({ tls: true, ports: { mqtt: mqtt.port, tcp: tcp.port } });
console.log(`PORT ${port}`);
