// The scenarios of clock and names and the server that they need.

import type { Scenarios } from "../support/describe-scenarios.js";
import { startDatagramPeer } from "./datagram-peer.js";
import { datagramScenarios } from "./datagram-scenarios.js";

export const datagramsSuite: Scenarios = ["clock and names", "udp", datagramScenarios, startDatagramPeer, "tests/system/datagrams-firmware.ts"];
