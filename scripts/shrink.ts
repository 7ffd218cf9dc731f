// Rewrites the modules of a bundle so that XS needs fewer slots and names in flash for the same program.

import {
	type AnyNode,
	type ClassBody,
	type Identifier,
	type ImportDeclaration,
	type MethodDefinition,
	type Program,
	type PropertyDefinition,
	parse,
} from "acorn";

/** The modules of a bundle by the names under which they import each other. */
export type Modules = ReadonlyMap<string, string>;

/**
 * What is done before esbuild gives short names. Private members become properties, since XS keeps a slot for each private name in each
 * function that uses it; fields are set by the constructor instead of a function of their own; and functions become arrows.
 *
 * It takes for granted that nobody asks for the properties of an object that has private ones, and that no class has a field with the
 * name of a method above it.
 * @param modules ES2022, written by esbuild without minifying
 * @throws Error where a module does not parse, or has a property that is kept for private members
 */
export function shrinkMembers(modules: Modules): Map<string, string> {
	const privates = new PrivateNames(modules);
	const constructed = constructedIn(modules);
	return mapValues(modules, (code) => makeArrows(setFieldsInConstructors(privates.replace(code)), constructed));
}

/**
 * What is done after that: variables get the names of properties, since a name that is there already costs nothing, and are constants
 * where they can be. It takes for granted that nobody asks for a function's name, and that no object says something else of itself
 * as a text than as a value.
 * @throws Error where a module does not parse
 */
export function shrinkNames(modules: Modules): Map<string, string> {
	return mapValues(shareNames(modules), (code) => writeForXs(declareConstants(code)));
}

const parseModule = (code: string): Program => parse(code, { ecmaVersion: 2022, sourceType: "module" });

function mapValues(modules: Modules, change: (code: string) => string): Map<string, string> {
	return new Map([...modules].map(([name, code]) => [name, change(code)]));
}

/** Calls `visit` for a node and all below it, with those above it, the nearest last; not below where it returns false. */
function walk(node: AnyNode, visit: (node: AnyNode, above: readonly AnyNode[]) => boolean | undefined, above: AnyNode[] = []): void {
	if (visit(node, above) === false) return;
	above.push(node);
	for (const value of Object.values(node))
		for (const child of Array.isArray(value) ? value : [value]) if (typeof child?.type === "string") walk(child, visit, above);
	above.pop();
}

/** Collects replacements of parts of a text. */
class Edits {
	readonly #code: string;
	readonly #edits: { start: number; end: number; text: string }[] = [];

	constructor(code: string) {
		this.#code = code;
	}

	replace({ start, end }: { start: number; end: number }, text: string): void {
		this.#edits.push({ start, end, text });
	}

	insert(at: number, text: string): void {
		this.#edits.push({ start: at, end: at, text });
	}

	apply(): string {
		let done = "";
		let at = 0;
		for (const { start, end, text } of this.#edits.sort((a, b) => a.start - b.start)) {
			done += this.#code.slice(at, start) + text;
			at = end;
		}
		return done + this.#code.slice(at);
	}
}

type ClassNode = AnyNode & { body: ClassBody; superClass?: AnyNode | null };
const isClass = (node: AnyNode): node is ClassNode => node.type === "ClassDeclaration" || node.type === "ClassExpression";

/** The classes that a module declares at its top level, by name. */
function classesOf(program: Program): Map<string, ClassNode> {
	const classes = new Map<string, ClassNode>();
	for (const statement of program.body) {
		const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
		if (declaration?.type === "ClassDeclaration") classes.set(declaration.id.name, declaration as ClassNode);
		if (declaration?.type === "VariableDeclaration")
			for (const { id, init } of declaration.declarations)
				if (id.type === "Identifier" && init?.type === "ClassExpression") classes.set(id.name, init as ClassNode);
	}
	return classes;
}

/** The names that are bound anywhere in a module, and how often. */
function bindingsOf(program: AnyNode): Map<string, number> {
	const names = new Map<string, number>();
	walk(program, (node, above) => {
		if (node.type === "Identifier" && isBinding(node, above)) names.set(node.name, (names.get(node.name) ?? 0) + 1);
		return undefined;
	});
	return names;
}

/** Does an identifier declare a variable, rather than use one or name a property? */
function isBinding(node: Identifier, above: readonly AnyNode[]): boolean {
	let child: AnyNode = node;
	for (let at = above.length - 1; at >= 0; at--) {
		const parent = above[at] as AnyNode;
		switch (parent.type) {
			case "VariableDeclarator":
			case "ClassDeclaration":
			case "ClassExpression":
				return parent.id === child;
			case "FunctionDeclaration":
			case "FunctionExpression":
				return parent.id === child || (parent.params as AnyNode[]).includes(child);
			case "ArrowFunctionExpression":
				return (parent.params as AnyNode[]).includes(child);
			case "CatchClause":
				return parent.param === child;
			case "ImportSpecifier":
			case "ImportDefaultSpecifier":
			case "ImportNamespaceSpecifier":
				return parent.local === child;
			case "Property":
				if (parent.value !== child) return false;
				break;
			case "AssignmentPattern":
				if (parent.left !== child) return false;
				break;
			case "ObjectPattern":
			case "ArrayPattern":
			case "RestElement":
				break;
			default:
				return false;
		}
		child = parent;
	}
	return false;
}

/** Is an identifier a variable's name, rather than that of a property, a label or something that is imported or exported? */
function isVariable(node: Identifier, above: readonly AnyNode[]): boolean {
	const parent = above.at(-1);
	switch (parent?.type) {
		case "MemberExpression":
			return parent.object === node || parent.computed;
		case "MethodDefinition":
		case "PropertyDefinition":
			return parent.computed || parent.value === node;
		case "Property":
			return parent.computed || parent.value === node;
		case "ImportSpecifier":
		case "ExportSpecifier":
			return parent.local === node;
		case "LabeledStatement":
		case "BreakStatement":
		case "ContinueStatement":
		case "MetaProperty":
			return false;
		default:
			return true;
	}
}

type ClassMember = PropertyDefinition | MethodDefinition;
const isMember = (node: AnyNode): node is ClassMember => node.type === "PropertyDefinition" || node.type === "MethodDefinition";

const PRIVATE_PREFIX = "$p";

/** Chooses the properties for private members: few in all, and none twice in the classes that an object may have. */
class PrivateNames {
	#unique = 0;

	constructor(modules: Modules) {
		for (const code of modules.values())
			if (/[.{,]\s*\$p\w*\b/.test(code))
				throw new Error(`the bundle has a property that begins with ${PRIVATE_PREFIX}, which is kept for private members`);
	}

	replace(code: string): string {
		const program = parseModule(code);
		const edits = new Edits(code);
		const classes = classesOf(program);
		const bindings = bindingsOf(program);
		const imported = new Set<string>();
		for (const statement of program.body)
			if (statement.type === "ImportDeclaration" && !/^\.\//.test(String(statement.source.value)))
				for (const { local } of statement.specifiers) imported.add(local.name);
		const chosen = new Map<ClassNode, Map<string, string>>();
		/** How many names an object of this class and those above it uses; undefined where that is not known. */
		const countOf = (node: ClassNode): number | undefined => {
			const base = this.#baseOf(node, classes, bindings, imported);
			const below = base === undefined ? undefined : base === null ? 0 : countOf(base);
			return below === undefined ? undefined : below + privateNames(node).size;
		};
		const namesOf = (node: ClassNode): Map<string, string> => {
			let names = chosen.get(node);
			if (!names) {
				const own = privateNames(node);
				const all = countOf(node);
				let next = all === undefined ? undefined : all - own.size;
				names = new Map([...own].map((name) => [name, next === undefined ? `$$p${this.#unique++}` : `${PRIVATE_PREFIX}${next++}`]));
				chosen.set(node, names);
			}
			return names;
		};
		walk(program, (node, above) => {
			if (node.type !== "PrivateIdentifier") return undefined;
			const name = above
				.filter(isClass)
				.map((outer) => namesOf(outer).get(node.name))
				.findLast((found) => found !== undefined);
			if (name === undefined) throw new Error(`#${node.name} is not declared`);
			const parent = above.at(-1);
			edits.replace(node, parent?.type === "BinaryExpression" ? `"${name}"` : name);
			return undefined;
		});
		return edits.apply();
	}

	/** The class above; null where it is none of the bundle's, undefined where it may be any. */
	#baseOf(
		{ superClass }: ClassNode,
		classes: Map<string, ClassNode>,
		bindings: Map<string, number>,
		imported: Set<string>,
	): ClassNode | null | undefined {
		if (!superClass) return null;
		if (superClass.type !== "Identifier") return undefined;
		const count = bindings.get(superClass.name) ?? 0;
		if (count === 0 || (count === 1 && imported.has(superClass.name))) return null;
		return count === 1 ? classes.get(superClass.name) : undefined;
	}
}

function privateNames({ body }: ClassNode): Set<string> {
	return new Set(body.body.filter(isMember).flatMap(({ key }) => (key.type === "PrivateIdentifier" ? [key.name] : [])));
}

/** Moves the fields of each class into its constructor, where no name means something else there. */
function setFieldsInConstructors(code: string): string {
	const program = parseModule(code);
	const classes = classesOf(program);
	const asked = namesInQuestion(program);
	const edits = new Edits(code);
	walk(program, (node) => {
		if (!isClass(node)) return undefined;
		const fields = node.body.body.filter((member): member is PropertyDefinition => member.type === "PropertyDefinition" && !member.static);
		const nested = fields.some(({ value }) => value && containsClass(value));
		if (fields.length === 0 || nested || fields.some(({ computed, key }) => computed || key.type !== "Identifier")) return undefined;
		const maker = node.body.body.find((member): member is MethodDefinition => member.type === "MethodDefinition" && member.kind === "constructor");
		const base = node.superClass?.type === "Identifier" ? classes.get(node.superClass.name) : undefined;
		// What is above the bundle may be frozen, with a property of the same name.
		if (node.superClass && !base && fields.some(({ key }) => !/^\$+p\d/.test((key as Identifier).name))) return undefined;
		// A field without a value is not there until it is set: undefined in either case, unless something above it has its name.
		const isNeeded = ({ key, value }: PropertyDefinition) =>
			value || asked.has((key as Identifier).name) || (node.superClass && !/^\$+p\d/.test((key as Identifier).name));
		const needed = fields.filter(isNeeded);
		const used = new Set(fields.flatMap(({ value }) => (value ? variablesIn(value) : [])));
		const text = needed
			.map(({ key, value }) => `this.${(key as Identifier).name} = ${value ? code.slice(value.start, value.end) : "void 0"};`)
			.join("\n");
		if (maker) {
			for (const name of bindingsOf(maker.value).keys()) if (used.has(name)) return undefined;
			const { body } = maker.value.body;
			const call = body.find(
				(statement) =>
					statement.type === "ExpressionStatement" && statement.expression.type === "CallExpression" && statement.expression.callee.type === "Super",
			);
			if (node.superClass && !call) return undefined;
			edits.insert(call ? call.end : maker.value.body.start + 1, `\n${text}\n`);
		} else if (node.superClass && needed.length > 0) return undefined;
		else if (needed.length > 0) edits.insert(node.body.start + 1, `\nconstructor() {\n${text}\n}\n`);
		for (const field of fields) edits.replace(field, "");
		return undefined;
	});
	return edits.apply();
}

/** The names of members that something asks for with `in`. */
function namesInQuestion(program: Program): Set<string> {
	const names = new Set<string>();
	walk(program, (node) => {
		if (node.type === "BinaryExpression" && node.operator === "in" && node.left.type === "Literal") names.add(String(node.left.value));
		return undefined;
	});
	return names;
}

/** The names that something is made of by `new`, or that have members of their own, under those that other modules know them by too. */
function constructedIn(modules: Modules): Set<string> {
	const names = new Set<string>();
	for (const code of modules.values()) {
		const aliases: [string, string][] = [];
		walk(parseModule(code), (node) => {
			const used =
				node.type === "NewExpression" ? node.callee : node.type === "MemberExpression" ? node.object : isClass(node) ? node.superClass : undefined;
			if (used?.type === "Identifier") names.add(used.name);
			if (node.type === "ImportSpecifier") aliases.push([node.local.name, nameOf(node.imported)]);
			if (node.type === "ExportSpecifier") aliases.push([nameOf(node.local), nameOf(node.exported)]);
			return undefined;
		});
		for (const [one, other] of aliases) if (names.has(one) || names.has(other)) names.add(one).add(other);
	}
	return names;
}

/** Makes arrows of functions that are no constructors: any other function brings an object that `new` would need. */
function makeArrows(code: string, constructed: ReadonlySet<string>): string {
	const program = parseModule(code);
	const edits = new Edits(code);
	const arrows: string[] = [];
	for (const node of program.body) {
		if (node.type !== "FunctionDeclaration" || node.async || node.generator || constructed.has(node.id.name)) continue;
		if (dependsOnCall(node.body) || node.params.some(dependsOnCall)) continue;
		const [first, last] = [node.params[0], node.params.at(-1)];
		const params = first && last ? code.slice(first.start, last.end) : "";
		// They are there before all else, as the functions were.
		arrows.push(`const ${node.id.name} = (${params}) => ${code.slice(node.body.start, node.body.end)};\n`);
		edits.replace(node, "");
	}
	edits.insert(0, arrows.join(""));
	return edits.apply();
}

/** Does it use what an arrow takes from around it? */
function dependsOnCall(node: AnyNode): boolean {
	let found = false;
	walk(node, (inner) => {
		if (inner.type === "FunctionExpression" || inner.type === "FunctionDeclaration" || isClass(inner)) return false;
		found ||= inner.type === "ThisExpression" || inner.type === "MetaProperty" || (inner.type === "Identifier" && inner.name === "arguments");
		return undefined;
	});
	return found;
}

function containsClass(node: AnyNode): boolean {
	let found = false;
	walk(node, (inner) => {
		found ||= isClass(inner);
		return undefined;
	});
	return found;
}

function variablesIn(node: AnyNode): string[] {
	const names: string[] = [];
	walk(node, (inner, above) => {
		if (inner.type === "Identifier" && (above.length === 0 || isVariable(inner, above))) names.push(inner.name);
		return undefined;
	});
	return names;
}

/** A number or truth value as it is written; undefined for anything else. */
function literalText(node: AnyNode | null | undefined, code: string): string | undefined {
	if (node?.type === "UnaryExpression" && /^[-!]$/.test(node.operator) && node.argument.type === "Literal")
		return `(${code.slice(node.start, node.end)})`;
	if (node?.type !== "Literal" || (typeof node.value !== "number" && typeof node.value !== "boolean")) return undefined;
	return code.slice(node.start, node.end);
}

/** The names that are given a value anywhere but where they are declared. */
function assignedIn(program: Program): Set<string> {
	const names = new Set<string>();
	walk(program, (node) => {
		const target =
			node.type === "AssignmentExpression"
				? node.left
				: node.type === "UpdateExpression"
					? node.argument
					: node.type === "ForInStatement" || node.type === "ForOfStatement"
						? node.left
						: undefined;
		if (target && target.type !== "VariableDeclaration") for (const name of variablesIn(target)) names.add(name);
		return undefined;
	});
	return names;
}

/**
 * Writes numbers where their names were, in the modules that import them too: XS keeps a slot for each name in each function that uses it.
 * The declarations stay, for esbuild to drop.
 */
export function inlineNumbers(modules: Modules): Map<string, string> {
	const exported = new Map<string, Map<string, string>>();
	const parsed = [...modules].map(([module, code]) => {
		const program = parseModule(code);
		const bindings = bindingsOf(program);
		const assigned = assignedIn(program);
		const numbers = new Map<string, string>();
		for (const statement of program.body)
			for (const { id, init } of statement.type === "VariableDeclaration" ? statement.declarations : []) {
				const text = literalText(init, code);
				if (id.type === "Identifier" && text !== undefined && bindings.get(id.name) === 1 && !assigned.has(id.name)) numbers.set(id.name, text);
			}
		exported.set(
			module,
			new Map(exportsOf(program).flatMap(([local, name]): [string, string][] => (numbers.has(local) ? [[name, numbers.get(local) as string]] : []))),
		);
		return { module, code, program, bindings, numbers };
	});
	return new Map(
		parsed.map(({ module, code, program, bindings, numbers }) => {
			for (const statement of program.body)
				for (const specifier of statement.type === "ImportDeclaration" ? statement.specifiers : []) {
					const from = exported.get(String((statement as ImportDeclaration).source.value));
					const text = specifier.type === "ImportSpecifier" ? from?.get(nameOf(specifier.imported)) : undefined;
					if (text !== undefined && bindings.get(specifier.local.name) === 1) numbers.set(specifier.local.name, text);
				}
			return [module, replaceVariables(code, program, numbers)];
		}),
	);
}

/** What a module exports, by the names that it has inside. */
function exportsOf(program: Program): [local: string, exported: string][] {
	return program.body.flatMap((statement) =>
		statement.type === "ExportNamedDeclaration" && !statement.source
			? statement.specifiers.map(({ local, exported }): [string, string] => [nameOf(local), nameOf(exported)])
			: [],
	);
}

const nameOf = (node: AnyNode): string => (node.type === "Identifier" ? node.name : node.type === "Literal" ? String(node.value) : "");

/** Writes texts in the place of variables wherever they are used, but not where they are declared, imported or exported. */
function replaceVariables(code: string, program: Program, texts: ReadonlyMap<string, string>): string {
	const edits = new Edits(code);
	walk(program, (node, above) => {
		if (node.type === "ImportDeclaration" || (node.type === "ExportNamedDeclaration" && !node.declaration)) return false;
		if (node.type !== "Identifier" || !isVariable(node, above) || isBinding(node, above)) return undefined;
		const text = texts.get(node.name);
		const parent = above.at(-1);
		if (text !== undefined)
			edits.replace(
				node,
				parent?.type === "Property" && parent.shorthand ? `${node.name}: ${text}` : parent?.type === "MemberExpression" ? `(${text})` : text,
			);
		return undefined;
	});
	return edits.apply();
}

/** What no variable may be called. */
const RESERVED = new Set(
	`arguments async await break case catch class const continue debugger default delete do else enum eval export extends false finally for
	function get if implements import in Infinity instanceof interface let NaN new null of package private protected public return set static
	super switch this throw true try typeof undefined var void while with yield`.split(/\s+/),
);

/** Calls the variables of all modules, and what these export to each other, by the names of properties as long as there are any. */
function shareNames(modules: Modules): Map<string, string> {
	const programs = new Map([...modules].map(([module, code]) => [module, parseModule(code)]));
	const bound = new Set<string>();
	const taken = new Set(RESERVED);
	const properties = new Set<string>();
	for (const program of programs.values()) {
		const own = bindingsOf(program);
		for (const name of own.keys()) bound.add(name);
		for (const [, name] of exportsOf(program)) if (name !== "default") bound.add(name);
		walk(program, (node, above) => {
			if (node.type !== "Identifier") return undefined;
			const parent = above.at(-1);
			if (isVariable(node, above)) {
				if (!own.has(node.name)) taken.add(node.name);
			} else if (parent?.type === "MemberExpression" || parent?.type === "Property" || parent?.type === "MethodDefinition") properties.add(node.name);
			return undefined;
		});
	}
	const free = [...properties].filter((name) => !taken.has(name) && !bound.has(name));
	const names = new Map<string, string>();
	for (const name of bound) {
		const other = properties.has(name) ? undefined : free.pop();
		names.set(name, other ?? name);
	}
	return new Map([...modules].map(([module, code]) => [module, renameVariables(code, programs.get(module) as Program, names, modules)]));
}

function renameVariables(code: string, program: Program, names: ReadonlyMap<string, string>, modules: Modules): string {
	const edits = new Edits(code);
	const own = bindingsOf(program);
	const renamed = (name: string) => names.get(name) ?? name;
	const variable = (name: string) => (own.has(name) ? renamed(name) : name);
	walk(program, (node, above) => {
		if (node.type === "ImportSpecifier") {
			const from = above.at(-1) as ImportDeclaration;
			const imported = nameOf(node.imported);
			edits.replace(node, `${modules.has(String(from.source.value)) ? renamed(imported) : imported} as ${renamed(node.local.name)}`);
			return false;
		}
		if (node.type === "ExportSpecifier") {
			edits.replace(node, `${variable(nameOf(node.local))} as ${renamed(nameOf(node.exported))}`);
			return false;
		}
		if (node.type !== "Identifier" || !isVariable(node, above)) return undefined;
		const to = variable(node.name);
		const parent = above.at(-1);
		const property = parent?.type === "AssignmentPattern" && parent.left === node ? above.at(-2) : parent;
		if (property?.type === "Property" && property.shorthand) edits.replace(node, `${node.name}: ${to}`);
		else if (to !== node.name) edits.replace(node, to);
		return undefined;
	});
	return edits.apply();
}

/** A variable that nobody changes needs no place in RAM. */
function declareConstants(code: string): string {
	const program = parseModule(code);
	const assigned = assignedIn(program);
	const edits = new Edits(code);
	for (const statement of program.body)
		if (statement.type === "VariableDeclaration" && statement.kind !== "const") {
			const lines = statement.declarations.map(({ id, init, start, end }) => {
				const constant = init && id.type === "Identifier" && !assigned.has(id.name);
				return `${constant ? "const" : statement.kind} ${code.slice(start, end)};`;
			});
			edits.replace(statement, lines.join("\n"));
		}
	return edits.apply();
}

/**
 * Writes what XS needs fewer instructions for: a sum for a template, which XS adds up with the empty texts in it and a conversion of each
 * value; `true` for `!0`; and `if` for `&&` and `||` whose value nobody wants.
 */
function writeForXs(code: string): string {
	const write = (node: AnyNode): string => {
		switch (node.type) {
			case "TaggedTemplateExpression":
				return code.slice(node.start, node.end);
			case "TemplateLiteral": {
				const texts = node.quasis.map(({ value }) => JSON.stringify(value.cooked));
				return sumOf(texts, node.expressions.map(write));
			}
			case "UnaryExpression":
				if (node.operator === "!" && node.argument.type === "Literal" && typeof node.argument.value === "number") return String(!node.argument.value);
				break;
			case "ExpressionStatement":
				if (node.expression.type === "LogicalExpression") return `{${statement(node.expression)}}`;
		}
		let text = "";
		let at = node.start;
		for (const child of childrenOf(node)) {
			// The name of a member may be its value, too.
			if (child.start < at) continue;
			text += code.slice(at, child.start) + write(child);
			at = child.end;
		}
		return text + code.slice(at, node.end);
	};
	const statement = (node: AnyNode): string => {
		if (node.type !== "LogicalExpression" || node.operator === "??") return `(${write(node)});`;
		const condition = node.operator === "&&" ? write(node.left) : `!(${write(node.left)})`;
		return `if(${condition})${statement(node.right)}`;
	};
	return write(parseModule(code));
}

/** The longest first of those that begin together. */
function childrenOf(node: AnyNode): AnyNode[] {
	const children: AnyNode[] = Object.values(node)
		.flat()
		.filter((child) => typeof child?.type === "string");
	return children.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** @param texts in quotes, one more than there are values, which stand between them */
function sumOf(texts: readonly string[], values: readonly string[]): string {
	const terms = texts.flatMap((text, i) => [...(text === '""' ? [] : [text]), ...(values[i] === undefined ? [] : [`(${values[i]})`])]);
	// One of the first two has to be a text.
	if (texts[0] === '""' && (texts[1] ?? '""') === '""') terms.unshift('""');
	return `(${terms.join("+")})`;
}
