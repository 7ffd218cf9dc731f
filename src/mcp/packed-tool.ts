// A tool that was made at run time, without the objects of its schema: they are read from its wire text where they are needed.

import { membersOf, Rule } from "./schema.js";
import { type CallContext, foldName, Tool } from "./tool.js";

const SCHEMA = '"inputSchema":';

interface Packed extends Tool {
	readonly callback: (args: never, context: CallContext) => unknown;
}

interface Schema {
	readonly type: Rule["kind"];
	readonly description?: string;
	readonly default?: unknown;
	readonly items?: Schema;
	readonly properties?: { readonly [name: string]: Schema };
	readonly required?: readonly string[];
	readonly additionalProperties?: boolean;
	readonly oneOf?: readonly { readonly const: string; readonly title: string }[];
}

/** What packed tools have in common. */
const PACKED = Object.freeze(
	Object.create(Tool.prototype, {
		foldedName: {
			get(this: Packed) {
				return foldName(this.name);
			},
		},
		members: {
			get(this: Packed) {
				const { body } = this;
				return membersOf(rulesOf(JSON.parse(`${body.slice(body.indexOf(SCHEMA) + SCHEMA.length)}}`)));
			},
		},
		call: {
			value(this: Packed, args: never, _board: unknown, context: CallContext) {
				return this.callback(args, context);
			},
		},
	}),
);

/**
 * A tool in a third of the memory, for one that does not lie in flash. It takes longer to call.
 * @param tool without output schema, parts that it needs and a time limit of its own
 */
export function packTool<B>(tool: Tool<B>, callback: Packed["callback"]): Tool<B> {
	const { name, hints, body, tail, bodyBytes, fullBytes } = tool;
	return Object.freeze(Object.assign(Object.create(PACKED) as Tool<B>, { name, hints, body, tail, bodyBytes, fullBytes, callback }));
}

function rulesOf({ properties = {}, required = [] }: Schema) {
	return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, ruleOf(schema, required.includes(name))]));
}

/** The rule that the schema is of. */
function ruleOf(schema: Schema, isRequired: boolean): Rule {
	const { type, items, properties, oneOf } = schema;
	return new Rule(type, {
		...schema,
		items: items && ruleOf(items, true),
		members: properties && membersOf(rulesOf(schema)),
		...(oneOf && { enum: oneOf.map((choice) => choice.const) }),
		optional: !isRequired && schema.default === undefined,
	});
}
