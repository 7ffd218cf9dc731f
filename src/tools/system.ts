// User-only tools about the device itself; a model neither sees nor needs them.

import Timer from "timer";
import { ToolError } from "../mcp/content.js";
import { string } from "../mcp/schema.js";
import { defineTool, type Tool } from "../mcp/tool.js";
import { SETTING_NAMES, type SettingName } from "../settings/setting-names.js";
import { systemInformation } from "../system/information.js";
import type { LivingBoard, OwnerSettings } from "../system/living-board.js";

/** From the answer to the restart, so that the answer leaves the device first. */
export const RESTART_DELAY_MS = 1000;
/** The longest value of a setting, in characters. */
const MAX_VALUE_LENGTH = 2048;

/** `self.get_system_info`, in the shape that the reference firmware reports to its configuration server. */
export const getSystemInfo = defineTool({
	name: "self.get_system_info",
	description:
		"Gives the device's identity and versions: network address, UUID, chip, application, board, network link, free memory, and parts that did not answer; " +
		"and the reasons of its last restarts and disconnects.",
	annotations: { readOnlyHint: true, idempotentHint: true },
	call(_args: object, board: LivingBoard) {
		const info = systemInformation(board);
		const missing = board.missing ?? [];
		if (missing.length) info.missing = missing.map(({ part, reason }) => ({ part, reason }));
		const { life } = board;
		if (life) {
			info.safe_mode = life.safeMode;
			info.last_restarts = [...life.restarts];
			info.last_disconnects = [...life.disconnects];
		}
		return info;
	},
});

/** `self.reboot`: answers, then restarts. */
export const reboot = defineTool({
	name: "self.reboot",
	description: "Restarts the device one second after the answer. The connection is lost and comes back by itself.",
	annotations: { destructiveHint: true },
	call(_args: object, board: LivingBoard) {
		restartSoon(board, "self.reboot");
		return true;
	},
});

/** `self.settings.get`: secrets only as set or not set. */
export const getSettings = defineTool({
	name: "self.settings.get",
	description: "Gives the device's settings. Secrets are shown as set or not set, and of an address nothing behind the question mark.",
	annotations: { readOnlyHint: true, idempotentHint: true },
	call(_args: object, board: LivingBoard) {
		return settingsOf(board).list();
	},
});

/** `self.settings.set`: kept at once, used from the next start on. */
export const changeSetting = defineTool({
	name: "self.settings.set",
	description: "Changes one setting of the device. It is used from the next start on; self.reboot restarts the device.",
	properties: {
		name: string({ enum: SETTING_NAMES, description: "Which setting" }),
		value: string({
			maxLength: MAX_VALUE_LENGTH,
			description: "The new value; an empty text goes back to the value that the firmware was built with",
		}),
	},
	annotations: { idempotentHint: true },
	call({ name, value }, board: LivingBoard) {
		const settings = settingsOf(board);
		try {
			settings.set(name as SettingName, value);
		} catch (error) {
			throw new ToolError((error as Error).message);
		}
		return "Saved. The device uses it after a restart (self.reboot).";
	},
});

/** `self.settings.reset`: factory reset. */
export const factoryReset = defineTool({
	name: "self.settings.reset",
	description: "Factory reset: forgets every setting that was made on the device, Wi-Fi and server included, and restarts it.",
	annotations: { destructiveHint: true },
	call(_args: object, board: LivingBoard) {
		settingsOf(board).reset();
		restartSoon(board, "factory reset");
		return true;
	},
});

/** `self.system.reconfigure_wifi`: opens the set-up page. */
export const reconfigureWifi = defineTool({
	name: "self.system.reconfigure_wifi",
	description: "Opens the device's set-up page, on which its owner chooses the Wi-Fi and the server. The connection may be lost meanwhile.",
	annotations: { destructiveHint: true },
	call(_args: object, board: LivingBoard) {
		if (!board.openSetup) throw new ToolError("This device has no set-up page");
		return `The set-up page is open: ${board.openSetup()}`;
	},
});

/** `self.upgrade_firmware`: answers when the download has begun well; how it goes on is told by notifications. */
export const upgradeFirmware = defineTool({
	name: "self.upgrade_firmware",
	description:
		"Downloads a firmware image and restarts the device with it. It answers when the image's beginning has been checked; " +
		"the notifications/upgrade tell how far it is. A download that fails leaves the running firmware as it is.",
	properties: { url: string({ maxLength: MAX_VALUE_LENGTH, description: "http:// or https:// address of the image" }) },
	annotations: { destructiveHint: true, openWorldHint: true },
	async call({ url }, board: LivingBoard) {
		if (!board.upgrade) throw new ToolError("This device cannot replace its firmware");
		const { size, version } = await board.upgrade(url);
		return `Downloading ${size} bytes${version ? `, version ${version}` : ""}. The device restarts when they are written.`;
	},
});

/** The user-only tools of every board. */
export const systemTools: readonly Tool<LivingBoard>[] = Object.freeze([
	getSystemInfo,
	reboot,
	getSettings,
	changeSetting,
	factoryReset,
	reconfigureWifi,
	upgradeFirmware,
]);

function settingsOf({ settings }: LivingBoard): OwnerSettings {
	if (!settings) throw new ToolError("This device keeps no settings");
	return settings;
}

/** The reason is kept at once: the machine may be cut off while it waits. */
function restartSoon({ life, system }: LivingBoard, reason: string): void {
	life?.plan(reason);
	Timer.set(() => system.restart(), RESTART_DELAY_MS);
}
