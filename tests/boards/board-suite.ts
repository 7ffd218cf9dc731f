// What every board has to pass: its folder, its tools as the protocol wants them, and each tool on simulated hardware.

import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Tool } from "@modelcontextprotocol/client";
import { ListToolsResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { type BoardTools, readBoardTools, toolSection } from "../../generators/board-page.js";
import type { PartDescription } from "../../simulator/parts.js";
import { type RunningDevice, runDevice } from "../../simulator/run-device.js";
import { type Arguments, cornersOf, outsideOf } from "./corners.js";
import { examplesOf, isPlain } from "./examples.js";
import { modelProblems } from "./model-rules.js";

const boards = fileURLToPath(new URL("../../boards/", import.meta.url));
const LIMIT_MS = 60_000;
/** What the documents allow; some backends drop what goes past 32. */
const MAX_TOOLS = 24;
const MAX_PAGES = 3;
/** Longer than any tool may take before its answer. */
const ANSWER_LIMIT_MS = 60_000;
/** A movement or an animation that goes on for longer is not waited for. */
const REST_LIMIT_MS = 15_000;
const REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];
const MODERN = "2026-07-28";
/** Made once: the schema of schemas takes longer to compile than all tools together. */
const DRAFT_7 = new Ajv();
const VALIDATORS = [DRAFT_7, new Ajv2020()];
/** What is answered to arguments that do not fit. */
const INVALID_PARAMS = -32602;
/** What every board has in common, and what ends the machine or changes its settings: the tests of tests/firmware try these. */
const LIFE_TOOLS = [
	"self.reboot",
	"self.settings.get",
	"self.settings.set",
	"self.settings.reset",
	"self.system.reconfigure_wifi",
	"self.upgrade_firmware",
	"self.timer.set",
	"self.timer.cancel",
	"self.camera.take_photo",
];
/** What is answered when the tool itself says in words what can be mended (`ToolError`). */
const TOOL_FAILED = -32000;

interface Reply {
	result?: {
		content?: { type: string; text?: string }[];
		structuredContent?: object;
		isError?: boolean;
		tools?: Tool[];
		nextCursor?: string;
		serverInfo?: { name: string };
		instructions?: string;
	};
	error?: { code: number; message: string };
}

/** What an error has to say, for the number among the arguments that is out of its range. */
function rangesOutside(tool: Tool, args: Arguments): unknown[] {
	const properties = Object.entries((tool.inputSchema.properties ?? {}) as Record<string, { minimum?: number; maximum?: number }>);
	return properties.flatMap(([name, { minimum, maximum }]) => {
		const value = args[name];
		if (typeof value !== "number" || minimum === undefined || maximum === undefined || (value >= minimum && value <= maximum)) return [];
		return [expect.stringMatching(new RegExp(`${name} must be .*from ${minimum} to ${maximum}, got ${value}$`))];
	});
}

/** A tool without what the backends of the envelope do not read. */
function asInTheSeeds({ name, description, inputSchema, annotations }: Tool): object {
	const { additionalProperties: _, ...schema } = inputSchema;
	const audience = (annotations as { audience?: unknown } | undefined)?.audience;
	return { name, description, inputSchema: schema, ...(audience ? { annotations: { audience } } : {}) };
}

/** A board that runs without a network, with everything that it shows. */
class Bench {
	readonly shown = new Map<string, string>();
	readonly described = new Map<string, PartDescription>();
	readonly log: string[] = [];
	restarts = 0;
	readonly #board: string;
	readonly #config: Record<string, unknown>;
	readonly #engine: "xs" | "node";
	/** As whom it asks. */
	peer: "envelope" | "standard" = "envelope";
	#device: RunningDevice | undefined;
	#id = 0;

	/** @param config for the module "mc/config" */
	constructor(board: string, engine: "xs" | "node", config: Record<string, unknown> = {}) {
		this.#board = board;
		this.#engine = engine;
		this.#config = config;
	}

	async start(): Promise<void> {
		this.#device = await runDevice({
			board: this.#board,
			engine: this.#engine,
			entry: "tests/boards/entry.ts",
			config: { device_id: "02:00:00:00:00:01", ...this.#config },
			clock: "manual",
			onLog: (line) => this.log.push(line),
			onDescribe: (part, description) => this.described.set(part, description),
			onShow: (part, state) => this.shown.set(part, JSON.stringify(state)),
			onRestart: () => this.restarts++,
		});
	}

	/** Everything that can be seen of the board, as text. */
	get state(): string {
		return JSON.stringify([[...this.shown].sort(), this.device.preferences, this.restarts]);
	}

	get device(): RunningDevice {
		if (!this.#device) throw new Error("the board has not started");
		return this.#device;
	}

	async ask(method: string, params: object = {}): Promise<Reply> {
		const message = JSON.stringify({ jsonrpc: "2.0", id: ++this.#id, method, params });
		let replies = await this.#exchange(message);
		// A tool may wait for the end of a movement.
		for (let waited = 0; waited < ANSWER_LIMIT_MS && !replies.some((reply) => reply.id === this.#id); waited += 500) {
			await this.device.advance(500);
			replies = await this.#exchange("");
		}
		const reply = replies.find((reply) => reply.id === this.#id);
		if (!reply) throw new Error(`no answer to ${message}; the log ends with: ${this.log.slice(-3).join(" / ")}`);
		return reply;
	}

	call(name: string, args: Arguments): Promise<Reply> {
		return this.ask("tools/call", { name, arguments: args });
	}

	/** The whole list, page by page. */
	async list(revision: string, withUserTools: boolean): Promise<{ pages: Reply["result"][]; tools: Tool[] }> {
		const meta =
			revision === MODERN ? { _meta: { "io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {} } } : {};
		if (revision !== MODERN)
			await this.ask("initialize", { protocolVersion: revision, capabilities: {}, clientInfo: { name: "board suite", version: "1" } });
		const pages: Reply["result"][] = [];
		let cursor: string | undefined;
		do {
			const { result, error } = await this.ask("tools/list", { ...meta, withUserTools, ...(cursor === undefined ? {} : { cursor }) });
			if (!result) throw new Error(`tools/list failed: ${error?.message}`);
			pages.push(result);
			cursor = result.nextCursor;
		} while (cursor !== undefined && pages.length < 10);
		return { pages, tools: pages.flatMap((page) => page?.tools ?? []) };
	}

	/** Everything that can be seen and asked, without letting time pass. */
	async look(readers: readonly Tool[]): Promise<string> {
		const answers: (string | undefined)[] = [];
		for (const { name, inputSchema } of readers) {
			const { result, error } = await this.call(name, cornersOf(inputSchema as object)[0] as Arguments);
			answers.push(result?.content?.[0]?.text ?? error?.message);
		}
		return JSON.stringify([this.state, answers]);
	}

	/** Waits until nothing changes by itself any more, or for so long that it never will. */
	async rest(): Promise<void> {
		for (let waited = 0, before = ""; waited < REST_LIMIT_MS && before !== this.state; waited += 500) {
			before = this.state;
			await this.device.advance(500);
		}
	}

	async close(): Promise<void> {
		await this.#device?.close();
	}

	async #exchange(message: string): Promise<(Reply & { id?: unknown })[]> {
		return (await this.device.evaluate(`exchange("${this.peer}"${message && `,${message}`})`)) as (Reply & { id?: unknown })[];
	}
}

/**
 * Runs the suite on one board.
 * @param board a folder's name in boards/, or a path
 * @param whole with every corner of every range, and with the search for tools without an effect
 */
export function boardSuite(board: string, engine: "xs" | "node", whole: boolean): void {
	const folder = /[/\\]/.test(board) ? board : join(boards, board);
	const name = basename(folder);
	const read = (file: string) => readFileSync(join(folder, file), "utf8");

	describe(`board ${name}`, () => {
		test.each(["manifest.json", "board.ts", "tools/index.ts", "README.md"])("has %s", (file) => {
			expect(existsSync(join(folder, file))).toBe(true);
		});

		test("says what it is built for, and preloads its files", () => {
			const manifest = JSON.parse(read("manifest.json"));
			expect(manifest.build.MCP_TARGET).toMatch(/^(lin|esp32(\/\w+)?)$/);
			expect(manifest.modules).toMatchObject({ "board/*": "./*", "board/tools/*": "./tools/*" });
			expect(manifest.preload).toEqual(expect.arrayContaining(["board/tools/index"]));
		});

		test("refuses to be built for another chip, and says which one it is for", () => {
			const { build, platforms } = JSON.parse(read("manifest.json"));
			if (build.MCP_TARGET === "lin") return;
			expect(platforms).toMatchObject({
				[build.MCP_TARGET]: {},
				"...": { error: `The board ${name} is for another chip: use -p ${build.MCP_TARGET}` },
			});
		});

		test("has a name that can be a folder, a server and a Moddable target", () => {
			expect(name).toMatch(/^[a-z][a-z0-9_]{0,31}$/);
		});

		const benches: Bench[] = [];
		const createBench = (config?: Record<string, unknown>) => {
			const bench = new Bench(board, engine, config);
			benches.push(bench);
			return bench;
		};
		const bench = createBench();
		let tools: BoardTools;
		beforeAll(async () => {
			tools = await readBoardTools(board);
			await bench.start();
		}, LIMIT_MS);
		afterAll(() => Promise.all(benches.map((bench) => bench.close())));

		test("gives names to parts that it has, and to all of them if to any", () => {
			if (!existsSync(join(folder, "panel.json"))) return;
			const places = Object.keys(JSON.parse(read("panel.json")));
			const parts = [...bench.described].map(([part, { pin, id, kind, label }]) => {
				const place = pin !== undefined ? `pin ${pin}` : id !== undefined ? `id ${id}` : part;
				return { place, kind, label };
			});
			expect(places.filter((place) => !parts.some((part) => part.place === place))).toEqual([]);
			expect(parts.filter(({ kind, label }) => ["servo", "button", "light"].includes(kind) && !label)).toEqual([]);
		});

		test("has a README with its name, its target and the table of its tools; npm run docs:boards writes it", () => {
			const readme = read("README.md");
			expect(readme.startsWith(`# ${name}\n`)).toBe(true);
			expect(readme).toContain(toolSection(tools));
		});

		test("has tools with the common ones first and no more than a model can hold", () => {
			expect(tools.tools[0]?.name).toBe("self.get_device_status");
			expect(tools.tools.length).toBeLessThanOrEqual(MAX_TOOLS);
			expect(tools.userTools.map((tool) => tool.name)).toEqual(expect.arrayContaining(["self.get_system_info", "self.reboot"]));
		});

		test("describes every tool and argument in words, under names that begin with self.", () => {
			for (const tool of [...tools.tools, ...tools.userTools]) {
				expect(tool.name).toMatch(/^self(\.[a-z][a-z0-9_]*)+$/);
				expect(tool.description?.length).toBeGreaterThan(10);
				for (const [argument, schema] of Object.entries(tool.inputSchema.properties ?? {}))
					expect([tool.name, argument, typeof (schema as { description?: unknown }).description]).toEqual([tool.name, argument, "string"]);
			}
		});

		test("has a title for people and all four hints for clients, which otherwise ask at every call", () => {
			const boolean = expect.any(Boolean);
			for (const { name, title, annotations } of [...tools.tools, ...tools.userTools]) {
				expect([name, title]).toEqual([name, expect.stringMatching(/^[A-Z]/)]);
				const hints = { readOnlyHint: boolean, destructiveHint: boolean, idempotentHint: boolean, openWorldHint: boolean };
				expect([name, annotations]).toEqual([name, expect.objectContaining(hints)]);
				// What a model can call has nothing to do with the world outside, and nothing that it does is final.
				if (tools.tools.some((tool) => tool.name === name))
					expect([name, annotations]).toMatchObject([name, { destructiveHint: false, openWorldHint: false }]);
			}
		});

		test("has schemas that are valid JSON Schema and agree with the corners", () => {
			for (const tool of [...tools.tools, ...tools.userTools])
				for (const validator of VALIDATORS) {
					const validate = validator.compile(tool.inputSchema);
					for (const args of cornersOf(tool.inputSchema as object)) expect([tool.name, args, validate(args)]).toEqual([tool.name, args, true]);
					for (const args of outsideOf(tool.inputSchema as object)) expect([tool.name, args, validate(args)]).toEqual([tool.name, args, false]);
					if (tool.outputSchema) validator.compile(tool.outputSchema);
				}
		});

		test("calls itself by its folder's name, and says what it is", async () => {
			const { result } = await bench.ask("initialize", { protocolVersion: "2025-11-25", capabilities: {} });
			expect(result?.serverInfo?.name).toBe(name);
			expect(result?.instructions).toMatch(/^This is [^.]+\. [^.]+\.$/);
		});

		test.each(REVISIONS)(
			"lists its tools to revision %s, in at most 3 pages",
			async (revision) => {
				for (const withUserTools of [false, true]) {
					const { pages, tools: listed } = await bench.list(revision, withUserTools);
					expect(pages.length).toBeLessThanOrEqual(MAX_PAGES);
					for (const page of pages) ListToolsResultSchema.parse(page);
					const whole = withUserTools ? [...tools.tools, ...tools.userTools] : tools.tools;
					expect(listed).toEqual(revision < "2025-06-18" ? whole.map(asInTheSeeds) : whole);
				}
			},
			LIMIT_MS,
		);

		test(
			"is ready for model APIs: one page of tools, none of which they refuse, and calls by these names",
			async () => {
				bench.peer = "standard";
				try {
					const { pages, tools: listed } = await bench.list("2024-11-05", false);
					expect(pages).toHaveLength(1);
					expect(listed).toEqual(tools.tools.map((tool) => ({ ...tool, name: tool.name.replaceAll(".", "_") })));
					for (const tool of listed) expect([tool.name, modelProblems(tool)]).toEqual([tool.name, []]);
					expect((await bench.call("self_get_device_status", {})).result?.isError).toBe(false);
				} finally {
					bench.peer = "envelope";
				}
			},
			LIMIT_MS,
		);

		test(
			"has an output schema for every tool that returns an object, and keeps to it",
			async () => {
				bench.peer = "standard";
				try {
					await bench.list("2025-11-25", true);
					for (const { name, inputSchema, outputSchema, annotations } of [...tools.tools, ...tools.userTools]) {
						if (!annotations?.readOnlyHint) continue;
						const { result } = await bench.call(name, cornersOf(inputSchema as object)[0] as Arguments);
						const text = result?.content?.[0]?.text as string;
						expect([name, outputSchema !== undefined]).toEqual([name, text.startsWith("{")]);
						if (!outputSchema) continue;
						expect([name, result?.structuredContent]).toEqual([name, JSON.parse(text)]);
						expect([name, DRAFT_7.compile(outputSchema)(result?.structuredContent)]).toEqual([name, true]);
					}
				} finally {
					bench.peer = "envelope";
				}
			},
			LIMIT_MS,
		);

		test(
			"refuses what lies outside the ranges, and nothing moves",
			async () => {
				await bench.list("2025-11-25", true);
				for (const tool of [...tools.tools, ...tools.userTools])
					for (const args of outsideOf(tool.inputSchema as object)) {
						const before = bench.state;
						const { error } = await bench.call(tool.name, args);
						const [range = error?.message] = rangesOutside(tool, args);
						expect([tool.name, args, error?.code, error?.message, bench.state]).toEqual([tool.name, args, INVALID_PARAMS, range, before]);
					}
			},
			LIMIT_MS,
		);

		test(
			"does every tool at the corners of its ranges, without an unexpected error, and reads change nothing",
			async () => {
				await bench.list("2025-11-25", true);
				const stops = tools.tools.filter((tool) => tool.name.endsWith(".stop"));
				for (const tool of [...tools.tools, ...tools.userTools]) {
					if (LIFE_TOOLS.includes(tool.name)) continue;
					const refusals: Arguments[] = [];
					const all = cornersOf(tool.inputSchema as object);
					const corners = whole ? all : all.filter((_, i) => i === 0 || i === all.length - 1);
					const examples = examplesOf(tool.name);
					for (const args of [...corners, ...examples]) {
						// Movements would queue up until no more are taken.
						if (!tool.annotations?.readOnlyHint) for (const stop of stops) await bench.call(stop.name, {});
						const before = bench.state;
						const { result, error } = await bench.call(tool.name, args);
						if (error) {
							expect([tool.name, args, error]).toEqual([
								tool.name,
								args,
								{ code: TOOL_FAILED, message: expect.not.stringContaining("gave no result") },
							]);
							refusals.push(args);
						} else expect([tool.name, result?.content?.[0]?.type]).toEqual([tool.name, "text"]);
						if (tool.annotations?.readOnlyHint) expect([tool.name, args, bench.state]).toEqual([tool.name, args, before]);
						else await bench.device.advance(40);
					}
					for (const args of examples) expect([tool.name, refusals]).not.toEqual([tool.name, expect.arrayContaining([args])]);
					// It may refuse a corner in words, such as an angle that one of its servos does not have, but not all of them.
					if (isPlain(tool.inputSchema as object)) expect([tool.name, refusals.length]).not.toEqual([tool.name, corners.length]);
				}
			},
			LIMIT_MS,
		);

		if (whole)
			test(
				"has no tool without an effect: what does not only read changes what is seen of the board",
				async () => {
					await bench.list("2025-11-25", true);
					const acting = [...tools.tools, ...tools.userTools].filter((tool) => !tool.annotations?.readOnlyHint && !LIFE_TOOLS.includes(tool.name));
					const first = (tool: Tool) => [...examplesOf(tool.name), ...cornersOf(tool.inputSchema as object)];
					const readers = tools.tools.filter((tool) => tool.annotations?.readOnlyHint);
					const hasEffect = async (tool: Tool, other: Tool | undefined, resting: boolean) => {
						for (const args of first(tool)) {
							if (other) await bench.call(other.name, first(other)[0] as Arguments);
							if (resting) await bench.rest();
							const before = await bench.look(readers);
							await bench.call(tool.name, args);
							if ((await bench.look(readers)) !== before) return true;
							// What begins a little later is known from what goes on by itself only on a board at rest.
							if (resting) await bench.device.advance(100);
							if (resting && (await bench.look(readers)) !== before) return true;
						}
						return false;
					};
					for (const tool of acting) {
						let seen = false;
						// What has no effect on a board as it is may have one on a board that moves or shines.
						for (const other of [undefined, ...acting.filter((other) => other !== tool)]) seen ||= await hasEffect(tool, other, false);
						for (const other of [undefined, ...acting.filter((other) => other !== tool)]) seen ||= await hasEffect(tool, other, true);
						expect([tool.name, seen]).toEqual([tool.name, true]);
					}
				},
				LIMIT_MS,
			);

		test("tells what it is in the shape that servers know", async () => {
			await bench.list("2025-11-25", true);
			const { result } = await bench.call("self.get_system_info", {});
			expect(JSON.parse(result?.content?.[0]?.text ?? "")).toMatchObject({
				version: 2,
				flash_size: expect.any(Number),
				mac_address: expect.stringMatching(/^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$/),
				uuid: expect.any(String),
				chip_model_name: expect.any(String),
				chip_info: { model: expect.any(Number), cores: expect.any(Number), revision: expect.any(Number), features: expect.any(Number) },
				application: {
					name: "moddable-mcp",
					version: expect.any(String),
					compile_time: expect.stringMatching(/T\d\d:\d\d:\d\dZ$/),
					idf_version: expect.stringMatching(/^v\d/),
					elf_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
				},
				partition_table: expect.arrayContaining([{ label: "ota_0", type: 0, subtype: 16, address: 65_536, size: expect.any(Number) }]),
				ota: { label: "ota_0" },
				board: { type: name, name, mac: expect.any(String) },
			});
		});

		test(
			"restarts after the answer, and comes back with its settings",
			async () => {
				await bench.list("2025-11-25", true);
				const restarts = bench.restarts;
				const { result } = await bench.call("self.reboot", {});
				expect(result?.content).toEqual([{ type: "text", text: "true" }]);
				expect(bench.restarts).toBe(restarts);
				await bench.device.advance(1500);
				expect(bench.restarts).toBe(restarts + 1);
			},
			LIMIT_MS,
		);

		test(
			"starts and answers when no chip on its bus does, and says what it lacks",
			async () => {
				const poor = createBench({ simulatedAbsent: true });
				await poor.start();
				const { tools: listed } = await poor.list("2025-11-25", false);
				const names = listed.map((tool) => tool.name);
				expect(names).toContain("self.get_device_status");
				expect((await poor.call("self.get_device_status", {})).error).toBeUndefined();
				const { result } = await poor.call("self.get_system_info", {});
				const hidden = tools.tools.filter((tool) => !names.includes(tool.name));
				if (hidden.length > 0) {
					expect(poor.log.join("\n")).toMatch(/without its/);
					expect(result?.content?.[0]?.text).toContain("missing");
				}
				for (const tool of listed) {
					const args = cornersOf(tool.inputSchema as object)[0] as Arguments;
					const { error } = await poor.call(tool.name, args);
					if (error) expect([tool.name, error.code]).toEqual([tool.name, TOOL_FAILED]);
				}
			},
			LIMIT_MS,
		);

		test(
			"lets go of everything when it is closed",
			async () => {
				const closed = createBench();
				await closed.start();
				await closed.device.evaluate("closeFirmware(), closeFirmware(), 0");
				await closed.device.advance(1000);
				const rest = closed.state;
				await closed.device.advance(5000);
				expect(closed.state).toBe(rest);
				expect(closed.log.filter((line) => /exception|rejection/.test(line))).toEqual([]);
			},
			LIMIT_MS,
		);
	});
}
