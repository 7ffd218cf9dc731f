// The names of a device's settings.

/** As `self.settings.set`, the set-up page and mcconfig (`name=value`) know them, in the order in which they are listed. */
export const SETTING_NAMES = Object.freeze([
	"ssid",
	"password",
	"url",
	"token",
	"endpoint",
	"ota_url",
	"mqtt_endpoint",
	"mqtt_client_id",
	"mqtt_username",
	"mqtt_password",
	"mqtt_publish",
	"mqtt_subscribe",
	"mqtt_keepalive",
	"framed_address",
	"framed_token",
	"framed_voice_id",
	"framed_language",
] as const);

export type SettingName = (typeof SETTING_NAMES)[number];
