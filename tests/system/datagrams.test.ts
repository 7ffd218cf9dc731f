// Runs the scenarios of clock and names on the XS engine and on Node, against real time servers and a real DNS client.

import { describeScenarios } from "../support/describe-scenarios.js";
import { startDatagramPeer } from "./datagram-peer.js";
import { datagramScenarios } from "./datagram-scenarios.js";

describeScenarios("clock and names", "udp", datagramScenarios, startDatagramPeer, "tests/system/datagrams-firmware.ts");
