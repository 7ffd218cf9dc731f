// Whom this device talks to, read from its settings; each may be there alone or beside the others.

import type { SettingName } from "./setting-names.js";

/** A broker, and the topics of this device on it. */
export interface MqttPeer {
	/** `host[:port]`, or an mqtt:// or mqtts:// address. */
	readonly endpoint: string;
	/** Absent: the device's network address. */
	readonly clientId: string | undefined;
	readonly username: string | undefined;
	readonly password: string | undefined;
	readonly publishTopic: string;
	readonly subscribeTopic: string | undefined;
	/** In seconds. */
	readonly keepaliveS: number | undefined;
}

/** A framed service (seed 001). */
export interface FramedPeer {
	/** `tcp://host:port`, or `tls://host:port`. */
	readonly address: string;
	readonly token: string;
	readonly voiceId: string | undefined;
	readonly language: string | undefined;
}

/** What may be configured; nothing has been checked but that texts are texts. */
export interface Peers {
	/** The backend's WebSocket URL. */
	readonly url: string | undefined;
	readonly token: string | undefined;
	/** URLs of MCP endpoints, each once: two connections with one token make some servers deaf. */
	readonly endpoints: readonly string[];
	readonly mqtt: MqttPeer | undefined;
	readonly framed: FramedPeer | undefined;
}

/**
 * Reads the settings. `endpoint` may be several addresses with spaces between.
 * @param of gives the value of a setting, "" where there is none
 */
export function peersOf(of: (name: SettingName) => string): Peers {
	const text = (name: SettingName) => of(name) || undefined;
	const mqttEndpoint = of("mqtt_endpoint");
	const framedAddress = of("framed_address");
	// Some gateways say "null" where they mean that nothing need be subscribed to.
	const subscribeTopic = text("mqtt_subscribe");
	const keepalive = text("mqtt_keepalive");
	return {
		url: text("url"),
		token: text("token"),
		endpoints: [...new Set(of("endpoint").split(" "))].filter((url) => url),
		mqtt: mqttEndpoint
			? {
					endpoint: mqttEndpoint,
					clientId: text("mqtt_client_id"),
					username: text("mqtt_username"),
					password: text("mqtt_password"),
					publishTopic: of("mqtt_publish"),
					subscribeTopic: subscribeTopic === "null" ? undefined : subscribeTopic,
					keepaliveS: keepalive === undefined ? undefined : Number(keepalive),
				}
			: undefined,
		framed: framedAddress
			? {
					address: framedAddress,
					token: of("framed_token"),
					voiceId: text("framed_voice_id"),
					language: text("framed_language"),
				}
			: undefined,
	};
}
