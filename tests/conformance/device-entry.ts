// The firmware with the tools and resources that the official conformance suite asks a server for.

import { server } from "main";
import { audio, image, resource, ToolError, text } from "mcp/content";
import { ResourceServer } from "mcp/resources";
import { object, string } from "mcp/schema";
import { defineTool } from "mcp/tool";
import Timer from "timer";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

server.addTool("test_simple_text", "Returns a text", {}, () => "This is a simple text response for testing.");
server.addTool("test_image_content", "Returns an image", {}, () => image(PNG, "image/png"));
server.addTool("test_audio_content", "Returns a sound", {}, () => audio(WAV, "audio/wav"));
server.addTool("test_embedded_resource", "Returns a resource", {}, () =>
	resource("test://embedded-resource", { mimeType: "text/plain", text: "This is an embedded resource content." }),
);
server.addTool("test_multiple_content_types", "Returns a text, an image and a resource", {}, () => [
	text("Multiple content types test:"),
	image(PNG, "image/png"),
	resource("test://mixed-content-resource", { mimeType: "application/json", text: '{"test":"data","value":123}' }),
]);
server.addTool("test_error_handling", "Fails", {}, () => {
	throw new ToolError("This tool intentionally returns an error for testing");
});
server.addTool(
	defineTool({
		name: "test_tool_with_progress",
		description: "Tells how far it is",
		async call(_args, _board: unknown, context) {
			for (const done of [0, 50, 100]) {
				context.progress(done, 100);
				await Promise.resolve();
			}
			return text("done");
		},
	}),
);
let grown = false;
server.addTool("test_trigger_tool_change", "Adds or removes a tool", {}, () => {
	if (grown) server.removeTool("test_grown");
	else server.addTool("test_grown", "Was added by a call", {}, () => true);
	grown = !grown;
	return true;
});

// Conditions that a board may list; see the guide to adding a tool.
server.addTool(
	defineTool({
		name: "json_schema_2020_12_tool",
		description: "Tool with JSON Schema 2020-12 features",
		properties: {
			name: string({ optional: true }),
			address: object({ optional: true, properties: { street: string({ optional: true }), city: string({ optional: true }) } }),
			contactMethod: string({ enum: ["phone", "email"], optional: true }),
			phone: string({ optional: true }),
			email: string({ optional: true }),
		},
		schema: {
			$schema: "https://json-schema.org/draft/2020-12/schema",
			$defs: { address: { $anchor: "addressDef", type: "object", properties: { street: { type: "string" }, city: { type: "string" } } } },
			allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
			if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
			// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
			then: { required: ["phone"] },
			else: { required: ["email"] },
		},
		call: () => true,
	}),
);

const entry = (name: string, mimeType?: string) => ({ uri: `test://${name}`, name, description: "What the suite reads and watches", mimeType });
// In the place of the board's own.
Object.assign(server, {
	resources: new ResourceServer(
		{
			entries: [entry("static-text"), entry("watched-resource"), entry("static-binary", "image/png")],
			templates: [{ uriTemplate: "test://template/{id}/data", name: "template", description: "Says its id" }],
			read(uri) {
				if (uri === "test://static-text" || uri === "test://watched-resource") return '"This is the content."';
				const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
				return id === undefined ? undefined : JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
			},
			readBlob: async () => [PNG],
		},
		Timer,
	),
});
