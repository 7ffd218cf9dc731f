// Which peers may call the tools that change a device for good: its settings and its firmware.

import type { Rights } from "../mcp/rights.js";
import { setting } from "../settings/settings.js";
import type { OWNER_TOOLS } from "../settings/table.js";

/** Whoever may call these decides whom the device obeys. */
const GUARDED: readonly string[] = Object.freeze(["self.settings.set", "self.settings.reset", "self.upgrade_firmware"]);

/**
 * Why a peer may not call a tool, as the setting `owner_tools` has it; undefined where it may.
 * @param secure is the peer reached over TLS?
 */
export function ownerToolRefusal(toolName: string, secure: boolean): string | undefined {
	if (!GUARDED.includes(toolName)) return undefined;
	switch ((setting("owner_tools") || "tls") as (typeof OWNER_TOOLS)[number]) {
		case "on":
			return undefined;
		case "off":
			return `${toolName} is switched off: owner_tools is "off". ${HOW}`;
		default:
			return secure ? undefined : `${toolName} is refused: this connection is not encrypted. ${HOW}`;
	}
}

/** The rights of a peer in a session. */
export class PeerRights implements Rights {
	private readonly secure: boolean;
	readonly userTools: boolean;

	/**
	 * @param secure is it reached over TLS?
	 * @param userTools may it call the user-only tools?
	 */
	constructor(secure: boolean, userTools: boolean) {
		this.secure = secure;
		this.userTools = userTools;
	}

	refusal(toolName: string): string | undefined {
		return ownerToolRefusal(toolName, this.secure);
	}
}

const HOW = "Its owner can allow it with owner_tools=on, on the device's set-up page or in the build";
