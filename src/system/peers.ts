// Whom this device talks to, read from its configuration; each may be there alone or beside the others.

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
 * Reads the members `url`, `token`, `endpoint`, `endpoints` (a list, or texts with spaces between), `mqttEndpoint`,
 * `mqttClientId`, `mqttUsername`, `mqttPassword`, `mqttPublishTopic`, `mqttSubscribeTopic`, `mqttKeepalive`,
 * `framedAddress`, `framedToken`, `framedVoiceId`, `framedLanguage`. Numbers may be texts, as mcconfig's arguments are.
 */
export function peersOf(config: { readonly [name: string]: unknown }): Peers {
	const mqttEndpoint = text(config.mqttEndpoint);
	const framedAddress = text(config.framedAddress);
	// Some gateways say "null" where they mean that nothing need be subscribed to.
	const subscribeTopic = text(config.mqttSubscribeTopic);
	return {
		url: text(config.url),
		token: text(config.token),
		endpoints: [...new Set([...list(config.endpoint), ...list(config.endpoints)])],
		mqtt: mqttEndpoint
			? {
					endpoint: mqttEndpoint,
					clientId: text(config.mqttClientId),
					username: text(config.mqttUsername),
					password: text(config.mqttPassword),
					publishTopic: text(config.mqttPublishTopic) ?? "",
					subscribeTopic: subscribeTopic === "null" ? undefined : subscribeTopic,
					keepaliveS: number(config.mqttKeepalive),
				}
			: undefined,
		framed: framedAddress
			? {
					address: framedAddress,
					token: text(config.framedToken) ?? "",
					voiceId: text(config.framedVoiceId),
					language: text(config.framedLanguage),
				}
			: undefined,
	};
}

function text(value: unknown): string | undefined {
	return typeof value === "string" && value ? value : undefined;
}

function number(value: unknown): number | undefined {
	if (typeof value === "number") return value;
	return typeof value === "string" && value ? Number(value) : undefined;
}

function list(value: unknown): string[] {
	if (Array.isArray(value)) return value.filter((url): url is string => typeof url === "string" && url !== "");
	return typeof value === "string" ? value.split(" ").filter((url) => url) : [];
}
