// What the model APIs refuse in a tool, and with it the whole request; docs/models.md has the sources.

import type { Tool } from "@modelcontextprotocol/client";

interface Schema {
	type?: unknown;
	description?: unknown;
	enum?: unknown[];
	properties?: { [name: string]: Schema };
	items?: Schema;
	[keyword: string]: unknown;
}

/** OpenAI and Anthropic: no dots. Gemini: begins with a letter or an underscore. */
const TOOL_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
/** Anthropic allows dots and dashes as well, Gemini does not. */
const ARGUMENT_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
/** OpenAI, for some models. */
const MAX_DESCRIPTION_LENGTH = 1024;
/** What all three have a meaning for. Gemini's `Schema` has no other field, and refuses what it does not have. */
const KEYWORDS: { readonly [type: string]: readonly string[] } = {
	object: ["properties", "required"],
	array: ["items", "minItems", "maxItems"],
	string: ["enum", "minLength", "maxLength", "pattern", "format"],
	integer: ["minimum", "maximum"],
	number: ["minimum", "maximum"],
	boolean: [],
};
/** Gemini knows no other of a string. */
const FORMATS = ["enum", "date-time"];

/**
 * What is wrong with a tool as it is listed to MCP clients; none where all three APIs take it. `additionalProperties: false` of an
 * object is no problem: clients for Gemini leave it out, or use a field that takes it.
 */
export function modelProblems({ name, description = "", inputSchema }: Tool): string[] {
	const schema = inputSchema as Schema;
	const problems: string[] = [];
	if (!TOOL_NAME.test(name)) problems.push(`the name ${name}`);
	if (description.length > MAX_DESCRIPTION_LENGTH) problems.push(`a description of ${description.length} characters`);
	if (schema.type !== "object") problems.push("arguments that are no object");
	return [...problems, ...schemaProblems(schema, "arguments")];
}

function schemaProblems(schema: Schema, path: string): string[] {
	const { additionalProperties, type, items, properties, enum: choices, format } = schema;
	const known = KEYWORDS[type as string];
	if (!known) return [`${path}: the type ${JSON.stringify(type)}`];
	const allowed = ["type", "description", "default", ...known];
	if (type === "object" && additionalProperties === false) allowed.push("additionalProperties");
	const problems = Object.keys(schema)
		.filter((keyword) => !allowed.includes(keyword))
		.map((keyword) => `${path}: ${keyword} in ${type}`);
	if (choices?.includes("")) problems.push(`${path}: an empty text in enum`);
	if (format !== undefined && !FORMATS.includes(format as string)) problems.push(`${path}: the format ${format}`);
	if (type === "array") problems.push(...(items ? schemaProblems(items, `${path}[]`) : [`${path}: an array without items`]));
	for (const [name, property] of Object.entries(properties ?? {})) {
		if (!ARGUMENT_NAME.test(name)) problems.push(`${path}: the name ${name}`);
		problems.push(...schemaProblems(property, `${path}.${name}`));
	}
	return problems;
}
