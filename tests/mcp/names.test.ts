// The member names that messages may have.

import { expect, test } from "@jest/globals";
import { CALL_NAMES } from "../../src/mcp/json-rpc.js";
import { array, integer, object } from "../../src/mcp/schema.js";
import { McpServer } from "../../src/mcp/server.js";
import { defineTool } from "../../src/mcp/tool.js";
import { defineTools, joinNames } from "../../src/mcp/tool-list.js";
import { ManualTimers } from "./support.js";

const tool = defineTool({
	name: "t",
	description: "d",
	properties: { points: array({ items: array({ items: object({ properties: { x: integer(), name: integer() } }) }) }) },
	call: () => true,
});

test("are MCP's, those of the tools' arguments at any depth, and those of the sessions, each once", () => {
	const tools = defineTools([tool]);
	const server = new McpServer({ name: "n", version: "1", board: {}, tools, timers: new ManualTimers() });
	expect(server.knownNames).toBe(tools.knownNames);
	expect(server.knownNames).toEqual(expect.arrayContaining(["jsonrpc", "points", "x", "name"]));
	server.addNames(["payload", "jsonrpc"]);
	const joined = server.knownNames;
	expect(joined).toEqual([...tools.knownNames, "payload"]);
	server.addNames(["payload"]);
	expect(server.knownNames).toBe(joined);
	server.addTool("more", "d", { y: integer() }, () => true);
	expect(server.knownNames).toEqual([...joined, "y"]);
	server.removeTool("more");
	expect(server.knownNames).toEqual(joined);
	expect(new Set(server.knownNames).size).toBe(server.knownNames.length);
});

test("a session that brings nothing new costs no list of its own", () => {
	const tools = defineTools([tool]);
	const server = new McpServer({ name: "n", version: "1", board: {}, tools, timers: new ManualTimers() });
	server.addNames(["jsonrpc", "points"]);
	expect(server.knownNames).toBe(tools.knownNames);
	const names = joinNames([], tools.knownNames, ["payload"]);
	const linked = new McpServer({ name: "n", version: "1", board: {}, tools, names, timers: new ManualTimers() });
	linked.addNames(["payload"]);
	expect(linked.knownNames).toBe(names);
});

test("calls have names of their own as long as no tool is added", () => {
	const tools = defineTools([tool]);
	const callNames = joinNames([tool], CALL_NAMES);
	const server = new McpServer({ name: "n", version: "1", board: {}, tools, callNames, timers: new ManualTimers() });
	server.addNames(["payload"]);
	expect(server.callNames).toBe(callNames);
	server.addTool("more", "d", { y: integer() }, () => true);
	expect(server.callNames).toBeUndefined();
	server.removeTool("more");
	expect(server.callNames).toBe(callNames);
});
