// The firmware as it is, with tools added at run time that misbehave in every way a tool can.

import { server } from "main";
import { ToolError } from "mcp/content";
import { integer, string } from "mcp/schema";
import { defineTool } from "mcp/tool";
import { STATUS } from "./flash-data.js";

server.addTool("test.throws", "Throws", {}, () => {
	throw new Error("boom");
});
server.addTool("test.refuses", "Throws what the caller can mend", {}, () => {
	throw new ToolError("The arm is blocked");
});
server.addTool("test.throws_odd", "Throws no error", {}, () => {
	throw undefined;
});
server.addTool("test.rejects", "Rejects", {}, () => Promise.reject(new Error("no bus")));
server.addTool("test.rejects_later", "Rejects later", {}, async () => {
	await Promise.resolve();
	throw new Error("no bus");
});
server.addTool(defineTool({ name: "test.never", description: "Never settles", timeLimitMs: 1000, call: () => new Promise<string>(() => undefined) }));
server.addTool("test.loop", "Returns an object that contains itself", {}, () => {
	const loop: { self?: unknown } = {};
	loop.self = loop;
	return loop;
});
server.addTool("test.odd_then", "Returns an object with a bad then", {}, () => ({
	// biome-ignore lint/suspicious/noThenProperty: the bad object is the point
	get then() {
		throw new Error("no then");
	},
}));
server.addTool("test.large", "Returns a long text", { length: integer({ minimum: 0, maximum: 20_000 }) }, ({ length }) => "x".repeat(length));
server.addTool("test.acts", "Returns what one backend would take for a command", {}, () => ({ action: "exit", response: "bye" }));
server.addTool("test.flash", "Returns an object that lives in flash", {}, () => STATUS);
server.addTool("test.echo", "Returns its argument", { text: string() }, ({ text }) => text);
server.addTool("test.deferred", "Returns its argument later", { text: string() }, async ({ text }) => {
	await Promise.resolve();
	return text;
});

server.addTool(defineTool({ name: "test.structured", description: "Returns what it says", output: { x: integer() }, call: () => ({ x: 5 }) }));
server.addTool(
	defineTool({
		name: "test.steps",
		description: "Tells how far it is",
		async call(_args, _board: unknown, context) {
			for (let i = 1; i <= 3; i++) {
				context.progress(i, 3);
				await Promise.resolve();
			}
			return "done";
		},
	}),
);
server.addTool(
	defineTool({
		name: "test.wait",
		description: "Waits until it is cancelled",
		call(_args, _board: unknown, context) {
			trace("test.wait began\n");
			context.onCancel = () => trace("test.wait was cancelled\n");
			return new Promise<string>(() => undefined);
		},
	}),
);
server.addTool("test.grow", "Adds a tool", {}, () => {
	server.addTool("test.grown", "Was added by a call", {}, () => true);
	return true;
});
