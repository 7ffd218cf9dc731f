// What the device may send in each revision, stricter than the published schemas: no member that they do not name.

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

export const REVISIONS = ["2024-11-05", "2025-06-18", "2025-11-25", "2026-07-28"] as const;
export type Revision = (typeof REVISIONS)[number];

type Schema = { [key: string]: unknown };

const text: Schema = { type: "string" };
const id: Schema = { type: ["string", "number"] };
const integer: Schema = { type: "integer" };
const closed = (properties: Schema, required: string[] = Object.keys(properties)): Schema => ({
	type: "object",
	properties,
	required,
	additionalProperties: false,
});
const implementation = closed({ name: text, version: text });

const inputSchema: Schema = {
	type: "object",
	properties: {
		type: { const: "object" },
		properties: { type: "object", additionalProperties: { type: "object" } },
		required: { type: "array", items: text, uniqueItems: true },
	},
	required: ["type", "properties", "required"],
	additionalProperties: false,
};
const openSchema: Schema = { ...inputSchema, properties: { ...(inputSchema.properties as Schema), additionalProperties: { const: false } } };
const tool = closed(
	{
		name: { type: "string", pattern: "^[A-Za-z0-9_.-]{1,64}$" },
		title: text,
		description: { type: "string", minLength: 1 },
		inputSchema: openSchema,
		outputSchema: inputSchema,
		annotations: closed(
			{
				audience: { type: "array", items: { enum: ["user", "assistant"] } },
				readOnlyHint: { type: "boolean" },
				destructiveHint: { type: "boolean" },
				idempotentHint: { type: "boolean" },
				openWorldHint: { type: "boolean" },
			},
			[],
		),
	},
	["name", "description", "inputSchema"],
);
const content: Schema = {
	type: "array",
	minItems: 1,
	items: {
		anyOf: [
			closed({ type: { const: "text" }, text }),
			closed({ type: { const: "image" }, data: { type: "string", pattern: "^[A-Za-z0-9+/]*={0,2}$" }, mimeType: text }),
		],
	},
};

/** What every result of the modern revision carries besides its own members. */
const modern = (properties: Schema, required: string[]): Schema =>
	closed({ ...properties, resultType: { const: "complete" }, _meta: closed({ "io.modelcontextprotocol/serverInfo": implementation }) }, [
		...required,
		"resultType",
		"_meta",
	]);
const cacheable: Schema = { ttlMs: { type: "integer", minimum: 0 }, cacheScope: { enum: ["public", "private"] } };
const capabilities = closed({ tools: closed({ listChanged: { type: "boolean" } }, []) });

const call: Schema = { content, structuredContent: { type: "object" }, isError: { type: "boolean" } };
const list: Schema = { tools: { type: "array", items: tool }, nextCursor: { type: "string", minLength: 1 } };

function results(revision: Revision): { [method: string]: Schema } {
	if (revision === "2026-07-28")
		return {
			"tools/call": modern(call, ["content", "isError"]),
			"tools/list": modern({ ...list, ...cacheable }, ["tools", "ttlMs", "cacheScope"]),
			"server/discover": modern({ supportedVersions: { type: "array", items: text, minItems: 1 }, capabilities, ...cacheable }, [
				"supportedVersions",
				"capabilities",
				"ttlMs",
				"cacheScope",
			]),
			"subscriptions/listen": closed({
				resultType: { const: "complete" },
				_meta: closed({ "io.modelcontextprotocol/subscriptionId": id, "io.modelcontextprotocol/serverInfo": implementation }),
			}),
		};
	return {
		initialize: closed({ protocolVersion: { enum: REVISIONS.slice(0, 3) }, capabilities, serverInfo: implementation }),
		ping: closed({}),
		"tools/call": closed(call, ["content", "isError"]),
		"tools/list": closed(list, ["tools"]),
	};
}

const error = closed({
	jsonrpc: { const: "2.0" },
	id,
	error: closed({ code: integer, message: { type: "string", minLength: 1 }, data: {} }, ["code", "message"]),
});
const notification = closed({ jsonrpc: { const: "2.0" }, method: { type: "string", pattern: "^notifications/" }, params: { type: "object" } }, [
	"jsonrpc",
	"method",
]);

const ajv = new Ajv2020({ strict: false });
const validators = new Map<string, ValidateFunction>();

/**
 * Checks one payload that the device has sent.
 * @param method what was asked, or undefined for a notification
 * @returns what is wrong with it, or undefined
 */
export function problemOf(message: unknown, revision: Revision, method?: string): string | undefined {
	const key = `${revision} ${method}`;
	let validate = validators.get(key);
	if (!validate) {
		const known = results(revision);
		const result = method !== undefined && Object.hasOwn(known, method) ? known[method] : undefined;
		const reply = result && closed({ jsonrpc: { const: "2.0" }, id, result });
		validate = ajv.compile(method === undefined ? notification : reply ? { anyOf: [reply, error] } : error);
		validators.set(key, validate);
	}
	return validate(message) ? undefined : ajv.errorsText(validate.errors);
}
