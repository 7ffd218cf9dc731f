// What a device in safe mode still does: the common tools, those for its owner, and the main session.

import { defineTools, type ToolList } from "../mcp/tool-list.js";
import type { ConnectionSettings } from "../settings/connection-settings.js";

/** The tools that a device in safe mode offers to the model: those of the reference. */
const COMMON_TOOLS: readonly string[] = Object.freeze([
	"self.get_device_status",
	"self.audio_speaker.set_volume",
	"self.screen.set_brightness",
	"self.screen.set_theme",
]);

/** The tools of a device in safe mode: the common ones, and those for its owner. */
export function safeTools<B>(tools: ToolList<B>): ToolList<B> {
	return defineTools(
		tools.tools.filter(({ name }) => COMMON_TOOLS.includes(name)),
		tools.userTools,
	);
}

/** The connections of a device in safe mode: to its backend, or else to its broker. */
export function safeConnections(connections: readonly ConnectionSettings[]): ConnectionSettings[] {
	return connections.filter(isMainSession).slice(0, 1);
}

/** Is it a session with the backend, over WebSocket or a broker? A configuration server decides on it. */
export function isMainSession({ kind }: ConnectionSettings): boolean {
	return kind === "session" || kind === "mqtt";
}
