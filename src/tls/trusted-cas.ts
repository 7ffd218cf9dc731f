// Which servers the device trusts over TLS: those of some public CAs, and of CAs that a board brings itself.

/// <reference path="../../typings/tls-socket.d.ts" />

import Resource from "Resource";
import TlsSocket from "embedded:io/socket/tcp/tls";
import { secureOptions, type TlsSettings } from "./record-socket.js";

/** The resources in src/certificates; the simulator has none of them and trusts the CAs of the computer. */
export const PUBLIC_CAS = Object.freeze([
	"isrg-root-x1.der",
	"isrg-root-x2.der",
	"digicert-global-root-ca.der",
	"digicert-global-root-g2.der",
	"globalsign-root-r3.der",
	"amazon-root-ca-1.der",
	"gts-root-r1.der",
	"gts-root-r4.der",
	"usertrust-rsa.der",
	"usertrust-ecc.der",
]);

/**
 * TLS for the transports.
 * @param own `certificate` of the configuration: names of resources that hold a certificate in DER, of a CA or of a server
 * itself; several as an array or with commas between them. What is not there costs a line in the log.
 */
export function createTls(own: unknown, log: (line: string) => void): TlsSettings {
	const names = namesOf(own).filter((name) => {
		if (Resource.exists(name)) return true;
		log(`tls: there is no certificate "${name}" in this firmware; name it under "resources" in a manifest`);
		return false;
	});
	const trusted = () => [...names, ...PUBLIC_CAS.filter((name) => Resource.exists(name))].map((name) => new Uint8Array(bytesOf(name)));
	return { io: TlsSocket, secure: secureOptions(trusted) };
}

/** A resource serves as a buffer in flash, of which arrays are views. */
function bytesOf(name: string): ArrayBuffer {
	return new Resource(name) as unknown as ArrayBuffer;
}

function namesOf(own: unknown): string[] {
	const list = Array.isArray(own) ? own : typeof own === "string" ? own.split(",") : [];
	return list.filter((name) => typeof name === "string" && name.trim() !== "").map((name) => name.trim());
}
