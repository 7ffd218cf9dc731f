// User-only tools about the device itself; a model neither sees nor needs them.

import type { Device, DeviceServices } from "../hardware/device.js";
import { ToolError } from "../mcp/content.js";
import { boolean, integer, object, string } from "../mcp/schema.js";
import { DESTROYS, defineTool, READS, SETS, type Tool } from "../mcp/tool.js";

/** The longest value of a setting, in characters. */
const MAX_VALUE_LENGTH = 2048;

/** `self.get_system_info`, in the shape that the reference firmware reports to its configuration server. */
const getSystemInfo = defineTool({
	name: "self.get_system_info",
	description:
		"Gives the device's identity and versions: network address, UUID, chip, application, board, network link, free memory, and parts that did not answer; " +
		"and the reasons of its last restarts and disconnects.",
	annotations: READS,
	output: {
		version: integer({ description: "Of this shape" }),
		mac_address: string(),
		uuid: string(),
		chip_model_name: string(),
		application: object({ properties: { name: string(), version: string() } }),
		board: object({ properties: { name: string() } }),
	},
	call: (_args: object, device: Device) => servicesOf(device).information(),
});

/** `self.reboot`: answers, then restarts. */
const reboot = defineTool({
	name: "self.reboot",
	title: "Restart",
	description: "Restarts the device one second after the answer. The connection is lost and comes back by itself.",
	annotations: DESTROYS,
	call(_args: object, device: Device) {
		servicesOf(device).restart("self.reboot");
		return true;
	},
});

/** `self.settings.get`: secrets only as set or not set. */
const getSettings = defineTool({
	name: "self.settings.get",
	title: "Show the settings",
	description: "Gives the device's settings. Secrets are shown as set or not set; of an address, nothing after the question mark is shown.",
	annotations: READS,
	output: {},
	call: (_args: object, device: Device) => servicesOf(device).settings.list(),
});

/** `self.settings.set`: kept at once, used from the next start on. */
function changeSetting(names: readonly string[]): Tool<Device> {
	return defineTool({
		name: "self.settings.set",
		title: "Change a setting",
		description: "Changes one setting of the device. It is used from the next start on; self.reboot restarts the device.",
		properties: {
			name: string({ enum: names, description: "Which setting" }),
			value: string({
				maxLength: MAX_VALUE_LENGTH,
				description: "The new value; an empty string goes back to the value that the firmware was built with",
			}),
		},
		annotations: SETS,
		call({ name, value }, device: Device) {
			const { settings } = servicesOf(device);
			let forgotten: readonly string[];
			try {
				forgotten = settings.set(name, value);
			} catch (error) {
				throw new ToolError((error as Error).message);
			}
			const lost = forgotten.length ? ` ${forgotten.join(" and ")} was for the old ${name} and is forgotten.` : "";
			return `Saved.${lost} The device uses it after a restart (self.reboot).`;
		},
	});
}

/** `self.settings.reset`: factory reset. */
const factoryReset = defineTool({
	name: "self.settings.reset",
	title: "Factory reset",
	description: "Factory reset: forgets every setting that was made on the device, Wi-Fi and server included, and restarts it.",
	annotations: DESTROYS,
	call(_args: object, device: Device) {
		const services = servicesOf(device);
		services.settings.reset();
		services.restart("factory reset");
		return true;
	},
});

/** `self.system.reconfigure_wifi`: opens the set-up page. */
const reconfigureWifi = defineTool({
	name: "self.system.reconfigure_wifi",
	title: "Open the set-up page",
	description: "Opens the device's set-up page, on which its owner chooses the Wi-Fi and the server. The connection may be lost while it is open.",
	annotations: DESTROYS,
	call: (_args: object, device: Device) => `The set-up page is open: ${servicesOf(device).openSetup()}`,
});

/** `self.upgrade_firmware`: answers once the download has begun well; notifications report its progress. */
const upgradeFirmware = defineTool({
	name: "self.upgrade_firmware",
	description:
		"Downloads a firmware image and restarts the device with it. It answers when the image's beginning has been checked; " +
		"notifications/upgrade report its progress. A download that fails leaves the running firmware as it is.",
	properties: {
		url: string({
			default: "",
			maxLength: MAX_VALUE_LENGTH,
			description: "https:// address of the image, http:// too where images are signed; empty for the firmware that the configuration server offers",
		}),
		force: boolean({ default: false, description: "Take a version that is older than the running one" }),
	},
	annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
	async call({ url, force }, device: Device) {
		const { size, version } = await servicesOf(device).upgrade(url || undefined, force);
		return `Downloading ${size} bytes${version ? `, version ${version}` : ""}. The device restarts when they are written.`;
	},
});

/**
 * The user-only tools of every board.
 * @param settingNames the settings that there are
 */
export function systemTools(settingNames: readonly string[]): readonly Tool<Device>[] {
	return Object.freeze([getSystemInfo, reboot, getSettings, changeSetting(settingNames), factoryReset, reconfigureWifi, upgradeFirmware]);
}

function servicesOf({ services }: Device): DeviceServices {
	if (!services) throw new ToolError("The firmware has not started");
	return services;
}
