// The names of a device's settings.

/** As `self.settings.set`, the set-up page and mcconfig (`name=value`) know them, in the order in which they are listed. */
export type SettingName = "ssid" | "password" | "url" | "token" | "endpoint" | "ota_url";

export const SETTING_NAMES: readonly SettingName[] = Object.freeze(["ssid", "password", "url", "token", "endpoint", "ota_url"] as const);
