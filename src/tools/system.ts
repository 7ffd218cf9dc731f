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
	title: { zh: "系统信息" },
	description: {
		en:
			"Gives the device's identity and versions: network address, UUID, chip, application, board, network link, free memory, and parts that did not answer; " +
			"and the reasons of its last restarts and disconnects.",
		zh: "返回设备的身份和版本：网络地址、UUID、芯片、应用、板子、网络连接、空闲内存和没有应答的部件；以及最近几次重启和断线的原因。",
	},
	annotations: READS,
	output: {
		version: integer({ description: { en: "Of this shape", zh: "此格式的版本" } }),
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
	title: { en: "Restart", zh: "重启" },
	description: {
		en: "Restarts the device one second after the answer. The connection is lost and comes back by itself.",
		zh: "在应答一秒后重启设备。连接会断开，随后自动恢复。",
	},
	annotations: DESTROYS,
	call(_args: object, device: Device) {
		servicesOf(device).restart("self.reboot");
		return true;
	},
});

/** `self.settings.get`: secrets only as set or not set. */
const getSettings = defineTool({
	name: "self.settings.get",
	title: { en: "Show the settings", zh: "查看设置" },
	description: {
		en: "Gives the device's settings. Secrets are shown as set or not set; of an address, nothing after the question mark is shown.",
		zh: "返回设备的设置。机密只显示是否已设置；地址中问号之后的部分不显示。",
	},
	annotations: READS,
	output: {},
	call: (_args: object, device: Device) => servicesOf(device).settings.list(),
});

/** `self.settings.set`: kept at once, used from the next start on. */
function changeSetting(names: readonly string[]): Tool<Device> {
	return defineTool({
		name: "self.settings.set",
		title: { en: "Change a setting", zh: "更改设置" },
		description: {
			en: "Changes one setting of the device. It is used from the next start on; self.reboot restarts the device.",
			zh: "更改设备的一项设置。下次启动后生效；self.reboot 可重启设备。",
		},
		properties: {
			name: string({ enum: names, description: { en: "Which setting", zh: "哪一项设置" } }),
			value: string({
				maxLength: MAX_VALUE_LENGTH,
				description: {
					en: "The new value; an empty string goes back to the value that the firmware was built with",
					zh: "新的值；空字符串表示恢复固件编译时的值",
				},
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
	title: { en: "Factory reset", zh: "恢复出厂设置" },
	description: {
		en: "Factory reset: forgets every setting that was made on the device, Wi-Fi and server included, and restarts it.",
		zh: "恢复出厂设置：忘记在设备上做过的所有设置，包括 Wi-Fi 和服务器，然后重启。",
	},
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
	title: { en: "Open the set-up page", zh: "打开配网页面" },
	description: {
		en: "Opens the device's set-up page, on which its owner chooses the Wi-Fi and the server. The connection may be lost while it is open.",
		zh: "打开设备的配网页面，主人可在其中选择 Wi-Fi 和服务器。页面打开期间连接可能断开。",
	},
	annotations: DESTROYS,
	call: (_args: object, device: Device) => `The set-up page is open: ${servicesOf(device).openSetup()}`,
});

/** `self.upgrade_firmware`: answers once the download has begun well; notifications report its progress. */
const upgradeFirmware = defineTool({
	name: "self.upgrade_firmware",
	title: { zh: "升级固件" },
	description: {
		en:
			"Downloads a firmware image and restarts the device with it. It answers when the image's beginning has been checked; " +
			"notifications/upgrade report its progress. A download that fails leaves the running firmware as it is.",
		zh: "下载固件并用它重启设备。检查过固件开头后即应答；notifications/upgrade 报告进度。下载失败时，正在运行的固件不变。",
	},
	properties: {
		url: string({
			default: "",
			maxLength: MAX_VALUE_LENGTH,
			description: {
				en: "https:// address of the image, http:// too where images are signed; empty for the firmware that the configuration server offers",
				zh: "固件的 https:// 地址，固件有签名时也可用 http://；留空则使用配置服务器提供的固件",
			},
		}),
		force: boolean({ default: false, description: { en: "Take a version that is older than the running one", zh: "接受比正在运行的更旧的版本" } }),
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
