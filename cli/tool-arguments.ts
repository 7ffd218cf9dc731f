// A tool's arguments in words, for a terminal or a page.

import type { Tool } from "@modelcontextprotocol/client";
import { plain } from "./terminal.js";

interface Schema {
	type?: unknown;
	enum?: unknown;
	minimum?: unknown;
	maximum?: unknown;
	minLength?: unknown;
	maxLength?: unknown;
	items?: unknown;
	default?: unknown;
}

/** A tool's arguments in short: `volume: 0–100, theme: light|dark, speed?: ≥0`. */
export function describeArguments(tool: Tool): string {
	const required = new Set(tool.inputSchema.required ?? []);
	const members = Object.entries(tool.inputSchema.properties ?? {});
	return members.map(([name, schema]) => plain(`${name}${required.has(name) ? "" : "?"}: ${describeSchema(schema as Schema)}`)).join(", ") || "–";
}

function describeSchema(schema: Schema): string {
	if (Array.isArray(schema.enum)) return schema.enum.map(String).join("|");
	const { minimum, maximum } = schema;
	if (schema.type === "integer" || schema.type === "number") {
		if (minimum !== undefined && maximum !== undefined) return `${minimum}–${maximum}`;
		if (minimum !== undefined) return `≥${minimum}`;
		if (maximum !== undefined) return `≤${maximum}`;
	}
	if (schema.type === "array") return `${describeSchema((schema.items ?? {}) as Schema)}[]`;
	return typeof schema.type === "string" ? schema.type : "any";
}
