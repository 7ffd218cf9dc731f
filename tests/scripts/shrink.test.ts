// What `npm run build` makes of modules for the flash of a chip does the same as before.

import { createContext, SourceTextModule } from "node:vm";
import { describe, expect, test } from "@jest/globals";
import { transform } from "esbuild";
import { inlineNumbers, type Modules, shrinkMembers, shrinkNames } from "../../scripts/shrink.js";

/** Runs the module "./main.js" with globals of its own, which it may freeze. @returns what it exports as `result` */
async function run(modules: Modules): Promise<unknown> {
	const context = createContext();
	const made = new Map([...modules].map(([identifier, code]) => [identifier, new SourceTextModule(code, { identifier, context })]));
	const get = (name: string) => made.get(name) as SourceTextModule;
	const main = get("./main.js");
	await main.link(get);
	await main.evaluate();
	return Object.values(main.namespace)[0];
}

async function shrink(modules: Modules): Promise<Modules> {
	const minified = new Map<string, string>();
	for (const [name, code] of inlineNumbers(shrinkMembers(modules)))
		minified.set(name, (await transform(code, { format: "esm", minifyIdentifiers: true, minifySyntax: true, treeShaking: true })).code);
	return shrinkNames(minified);
}

const programs: [promise: string, main: string, other?: string][] = [
	[
		"members of one name in a class and in those above it stay apart",
		`class A { #x = 1; #get() { return this.#x; } a() { return this.#get(); } static #n = 5; static n() { return A.#n; } }
		class B extends A { #x = 2; #get() { return this.#x; } b() { return [this.a(), this.#get()]; } static #n = 6; static m() { return [A.n(), B.#n]; } }
		class C extends B { #x = 3; c() { return [this.#x++, this.#x, ...this.b()]; } }
		export const result = [new C().c(), B.m()];`,
	],
	[
		"so they do where the class above is in another module, or is only known later",
		`import { A } from "./other.js";
		class B extends A { #x = 2; b() { return [this.#x, this.a()]; } }
		const mixed = (Base) => class extends Base { #x = 4; d() { return [this.#x, this.b()]; } };
		export const result = new (mixed(B))().d();`,
		`class A { #x = 1; a() { return this.#x; } }
		export { A };`,
	],
	[
		"accessors, and the question whether an object has a member",
		`class A { #v = 1; get #w() { return this.#v * 2; } set #w(v) { this.#v = v; } static has(o) { return #v in o; } go() { this.#w = 21; return this.#w; } }
		export const result = [new A().go(), A.has(new A()), A.has({})];`,
	],
	[
		"a class within a class uses the members of both",
		`class A { #x = 1; go() { const outer = this; return new (class { #y = 2; #x = 3; go() { return [this.#x, this.#y]; } })().go().concat(outer.#x); } }
		export const result = new A().go();`,
	],
	[
		"fields are set in their order, after the class above, and before the constructor's own statements",
		`const seen = [];
		const see = (v) => (seen.push(v), v);
		class A { a = see("a"); constructor() { see("A"); } }
		class B extends A { b = see("b"); c = see(this.b + "c"); constructor(x) { see(x); super(); see(this.c); this.d = this.b; } }
		new B("B");
		export const result = seen;`,
	],
	[
		"a field whose value means something else in the constructor",
		`const size = 3;
		const make = () => "outer";
		class A { list = make(); constructor(make) { this.other = make(); } }
		class B { #s = size; constructor(size) { this.s = [size, this.#s]; } }
		export const result = [new A(() => "inner"), new B(9).s];`,
	],
	[
		"functions of every kind, used before they stand there, and as constructors",
		`import { Made as Maker, plain } from "./other.js";
		const early = add(1, 2);
		function add(a, b = a) { return a + b + (b > 2 ? 0 : add(a, 3)); }
		function all() { return arguments.length; }
		function self() { return this === undefined; }
		function Old(x) { this.x = x; }
		Old.prototype.get = function () { return this.x; };
		function* two() { yield 1; yield 2; }
		export const result = [early, all(1, 2), self(), new Old(5).get(), [...two()], new Maker(7).v, plain(2)];`,
		`function Made(v) { return { v }; }
		function plain(v) { return v * 2; }
		export { Made, plain };`,
	],
	[
		"fields of errors, which may be frozen above",
		`Object.freeze(Error.prototype);
		class E extends Error { name = "E"; #why = 1; why() { return this.#why; } }
		export const result = [new E("x").name, new E("x").why()];`,
	],
	[
		"numbers with names, also imported, negative, shadowed, changed and computed",
		`import { LIMIT, LOW, twice } from "./other.js";
		const MINUTE = 60;
		const HOUR = MINUTE * 60;
		let changed = 1;
		changed += LIMIT;
		const shadow = (LIMIT) => LIMIT + MINUTE;
		const of = ({ MINUTE: m = LOW, ...rest }) => [m, rest];
		export const result = [{ LIMIT, MINUTE, HOUR }, LOW.toFixed(1), -LOW, changed, shadow(1), of({ HOUR }), twice(), MINUTE.toString(2)];`,
		`const LIMIT = 128;
		const LOW = -5;
		const twice = () => LIMIT * 2;
		export { LIMIT, LOW, twice };`,
	],
	[
		"names of every kind, beside properties of the same names",
		`import { helper as help } from "./other.js";
		const first = { Map: 1, second: 2, trace: 3, of: 4, let: 5 };
		function second({ second: inner = first.second, ...more }, [third, fourth = third] = [7]) {
			loop: for (const fifth of [1, 2]) { for (;;) { if (fifth === 1) continue loop; break loop; } }
			try { throw { first: inner }; } catch ({ first }) { return { inner, more, third, fourth, first, Map: new Map([[1, 2]]).get(1), help: help(inner) }; }
		}
		class Third { static first = second({ trace: 1 }); get() { return Third.first; } }
		export const result = [new Third().get(), second({ second: 8, x: 1 }, [1])];`,
		`const state = { helper: 2 };
		function helper(state2) { return state.helper + state2; }
		export { helper };`,
	],
	[
		"fields without a value are undefined until they are set",
		`class A { a; #b; #c; constructor(x) { this.read = [this.a, this.#b]; this.a = x; this.#b = x; } has(o) { return #c in o; } get() { return [this.a, this.#b, this.#c, this.read]; } }
		class B extends A { d; #e; constructor() { super(2); this.#e = this.d; } more() { return [this.#e, this.d, ...this.get()]; } }
		class C extends A { a; }
		class D { #x; set(x) { this.#x = x; return this.#x; } }
		export const result = [new A(1).get(), new B().more(), new C(3).get(), new A(1).has(new A(2)), new A(1).has({}), new D().set(4)];`,
	],
	[
		"templates of all kinds",
		`const one = () => 1, list = [2, 3], o = { toString: () => "o" };
		const tag = (texts, ...values) => [texts.raw, values];
		const inside = ({ a, b = \`\${a}!\` } = {}) => ({ a, b, [\`\${a}-\`]: \`\` });
		export const result = [
			\`plain "\\n\`, \`\${one()}\`, \`\${one()}\${2}\`, \`\${one()}\${2}x\`, \`\${one()} \${2}\`, \`x\${one()}\${2}\`, \`\${null}\${void 0}\`,
			\`\${list} and \${o}\`, \`a\${one() ? \`b\${one() + 1}c\` : ""}d\`, \`\${(one(), 5)}\${list.length > 1 ? "s" : ""}\`, tag\`\\u0041\${one()}\`, inside({ a: 7 }),
		];`,
	],
	[
		"conditions whose value nobody wants, and the truth",
		`const seen = [];
		const see = (v) => (seen.push(v), v);
		const go = (a, b) => {
			a && see(1);
			a || see(2);
			a && (b || see(3));
			(a || b) && see(4);
			a ?? (b && see(5));
			if (a) b && see(6);
			else see(7);
			if (b) a || see(8);
			else if (a) see(9);
			for (let i = 0; i < 2; i++) a && (see(i), b = see(!0));
			a && function () { see(10) }();
			const { x = a && b } = {};
			return a && b || x;
		};
		for (const a of [!0, !1, null]) for (const b of [1, 0]) see(go(a, b));
		export const result = seen;`,
	],
];

describe("modules do the same when they are shrunk", () => {
	test.each(programs.map(([promise, main, other]) => ({ promise, main, other })))("$promise", async ({ main, other }) => {
		const modules = new Map([["./main.js", main], ...(other ? [["./other.js", other] as const] : [])]);
		const expected = JSON.stringify(await run(modules));
		const shrunk = await shrink(modules);
		expect(JSON.stringify(await run(shrunk))).toBe(expected);
		expect([...shrunk.values()].join("")).not.toMatch(/#\w/);
	});
});

test("what is never changed is a constant, and a number has no name", async () => {
	const main = "const STEP = 4;\nlet count = 0;\nconst list = [STEP];\nexport const result = () => [count++, list];";
	const [code = ""] = (await shrink(new Map([["./main.js", main]]))).values();
	expect(code).toMatch(/^let \w+ = 0;\nconst \w+ = \[4\], /);
});

test("variables have the names of properties, as long as there are any", async () => {
	const main = "const a = { one: 1, two: 2 };\nconst b = a.one + a.two;\nexport const result = [a, b];";
	const [code = ""] = shrinkNames(new Map([["./main.js", main]])).values();
	expect(code).toMatch(/const (one|two) = \{ one: 1, two: 2 \};/);
});

test("a property that looks like one of a private member is refused", () => {
	expect(() => shrinkMembers(new Map([["./main.js", "export const result = { $p0: 1 }.$p0;"]]))).toThrow(/kept for private members/);
});

test("what is undefined is not set", () => {
	const main = "class A { a; #b; c = 1; go() { return [this.a, this.#b, this.c]; } }\nexport const result = new A().go();";
	const [code = ""] = shrinkMembers(new Map([["./main.js", main]])).values();
	expect(code).not.toContain("void 0");
	expect(code).toContain("this.c = 1;");
});

test("templates are sums, and what is done on a condition is a statement", () => {
	const main = `export const f = (a, b) => { a && b(\`\${a}: \${!0}\`); a || b(\`\${a}\${a}\`); };`;
	const [code = ""] = shrinkNames(new Map([["./main.js", main]])).values();
	expect(code).toContain('{if(a)(b(((a)+": "+(true))));}');
	expect(code).toContain('{if(!(a))(b((""+(a)+(a))));}');
});
