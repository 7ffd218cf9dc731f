// A program: the gateway over HTTP with the tools and resources that the official conformance suite asks a server for.
// `npm run test:conformance` runs it.

import { TestHub } from "../support/hub.js";
import type { Answer } from "../support/scripted-device.js";
import { tool } from "../support/tool-board.js";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";
const text = (value: string) => ({ type: "text", text: value });
const image = { type: "image", data: PNG, mimeType: "image/png" };
const embedded = (uri: string, mimeType: string, content: string) => ({ type: "resource", resource: { uri, mimeType, text: content } });

const results: Record<string, object> = {
	test_simple_text: { content: [text("This is a simple text response for testing.")] },
	test_image_content: { content: [image] },
	test_audio_content: { content: [{ type: "audio", data: WAV, mimeType: "audio/wav" }] },
	test_embedded_resource: { content: [embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")] },
	test_multiple_content_types: {
		content: [
			text("Multiple content types test:"),
			image,
			embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
		],
	},
	test_error_handling: { isError: true, content: [text("This tool intentionally returns an error for testing")] },
	test_tool_with_progress: { content: [text("done")] },
	json_schema_2020_12_tool: { content: [text("ok")] },
};

const schemaTool = {
	name: "json_schema_2020_12_tool",
	description: "Tool with JSON Schema 2020-12 features",
	inputSchema: {
		$schema: "https://json-schema.org/draft/2020-12/schema",
		type: "object",
		$defs: { address: { $anchor: "addressDef", type: "object", properties: { street: { type: "string" }, city: { type: "string" } } } },
		properties: {
			name: { type: "string" },
			address: { $ref: "#/$defs/address" },
			contactMethod: { type: "string", enum: ["phone", "email"] },
			phone: { type: "string" },
			email: { type: "string" },
		},
		allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
		if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
		// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
		then: { required: ["phone"] },
		else: { required: ["email"] },
		additionalProperties: false,
	},
};

const answers: Record<string, Answer> = {
	initialize: () => ({
		protocolVersion: "2025-11-25",
		capabilities: { tools: { listChanged: true }, resources: { subscribe: true, listChanged: true } },
		serverInfo: { name: "conformance", version: "1.0.0" },
	}),
	"tools/list": () => ({ tools: Object.keys(results).map((name) => (name === schemaTool.name ? schemaTool : tool(name))) }),
	"tools/call": ({ name, _meta }) => {
		const token = (_meta as { progressToken?: unknown } | undefined)?.progressToken;
		if (name === "test_tool_with_progress" && token !== undefined)
			for (const progress of [0, 50, 100])
				device.send({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: token, progress, total: 100 } });
		return results[String(name)];
	},
	"resources/list": () => ({
		resources: [
			{ uri: "test://static-text", name: "Static text", mimeType: "text/plain" },
			{ uri: "test://static-binary", name: "Static binary", mimeType: "image/png" },
			{ uri: "test://watched-resource", name: "Watched", mimeType: "text/plain" },
		],
	}),
	"resources/templates/list": () => ({
		resourceTemplates: [{ uriTemplate: "test://template/{id}/data", name: "Template", mimeType: "application/json" }],
	}),
	"resources/read": ({ uri }) => {
		const id = /^test:\/\/template\/(.+)\/data$/.exec(String(uri))?.[1];
		if (id)
			return { contents: [{ uri, mimeType: "application/json", text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }] };
		if (uri === "test://static-binary") return { contents: [{ uri, mimeType: "image/png", blob: PNG }] };
		if (uri === "test://static-text" || uri === "test://watched-resource")
			return { contents: [{ uri, mimeType: "text/plain", text: "This is the content of the static text resource." }] };
		throw { code: -32002, message: "Resource not found", data: { uri } };
	},
	"resources/subscribe": () => ({}),
};

const hub = await TestHub.start({ port: Number(process.argv[2] ?? 0) });
const device = await hub.endpoint("conformance", answers);
process.stdout.write(`${hub.http}/mcp\n`);
