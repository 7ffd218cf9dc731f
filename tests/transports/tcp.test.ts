import { describeScenarios } from "../support/describe-scenarios.js";
import { startTcpPeer } from "./tcp-peer.mjs";
import { tcpScenarios } from "./tcp-scenarios.js";

describeScenarios(
	"the TCP transport",
	"tcp",
	tcpScenarios(() => 0),
	startTcpPeer,
);
