// What `npm run check:chip` says when something is missing, and how it compares FFI's declarations with ESP-IDF's.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { compareDeclaration, readDeclarations, readFfi } from "../../cli/natives.js";
import { runScriptFile } from "../support/script.js";

const folder = mkdtempSync(join(tmpdir(), "moddable-mcp-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** As the SDK generates it. */
const FFI = `extern txAPI gxAPI;
extern void esp_chip_info(uint32_t* arg0);
extern int32_t esp_read_mac(uint8_t * arg0, int32_t arg1);
extern uint32_t esp_get_free_heap_size();

static void xs_esp_chip_info(txMachine* the) {
	void** arg0 = XS->toArrayBufferHandle(the, mxArgv(0), 3 * sizeof(uint32_t));
	esp_chip_info((uint32_t*)*arg0);
}

static void xs_esp_read_mac(txMachine* the) {
	uint8_t* arg0 = XS->toHostData(the, mxArgv(0));
}
`;
/** As GCC lists it. */
const HEADERS = `/* compiled from: . */
/* esp_mac.h:129:NC */ extern esp_err_t esp_read_mac (uint8_t *, esp_mac_type_t);
/* esp_chip_info.h:60:NC */ extern void esp_chip_info (esp_chip_info_t *);
/* esp_system.h:93:NC */ extern uint32_t esp_get_free_heap_size (void);
/* esp_ipc.h:50:NC */ extern esp_err_t esp_ipc_call (uint32_t, void (*)(void *, int), void *);
`;

test("what FFI declares, and the buffers that it hands over", () => {
	expect(readFfi(FFI)).toEqual([
		{ name: "esp_chip_info", returns: "void", arguments: ["uint32_t*"], buffers: new Map([[0, 12]]) },
		{ name: "esp_read_mac", returns: "int32_t", arguments: ["uint8_t *", "int32_t"], buffers: new Map() },
		{ name: "esp_get_free_heap_size", returns: "uint32_t", arguments: [], buffers: new Map() },
	]);
});

test("what ESP-IDF declares, with function pointers among the arguments", () => {
	const declared = readDeclarations(HEADERS);
	expect(declared.get("esp_read_mac")).toEqual({ returns: "esp_err_t", arguments: ["uint8_t *", "esp_mac_type_t"] });
	expect(declared.get("esp_get_free_heap_size")).toEqual({ returns: "uint32_t", arguments: [] });
	expect(declared.get("esp_ipc_call")?.arguments).toEqual(["uint32_t", "void (*)(void *, int)", "void *"]);
});

test("a function that is gone or takes another number of arguments is told without a compiler", () => {
	const [info, mac, heap] = readFfi(FFI) as [ReturnType<typeof readFfi>[0], ReturnType<typeof readFfi>[0], ReturnType<typeof readFfi>[0]];
	expect(compareDeclaration(info, undefined).complaints).toEqual(["esp_chip_info: no header of ESP-IDF declares it"]);
	expect(compareDeclaration(mac, { returns: "esp_err_t", arguments: ["uint8_t *"] }).complaints).toEqual([
		"esp_read_mac: ESP-IDF takes 1 arguments (uint8_t *), FFI gives 2",
	]);
	expect(compareDeclaration(heap, { returns: "uint32_t", arguments: [] })).toEqual({ lines: [expect.stringContaining("sizeof")], complaints: [] });
});

test("the rest is left to the compiler: words of the same size, and buffers that are large enough", () => {
	const declared = readDeclarations(HEADERS);
	const lines = readFfi(FFI).flatMap((ffi) => compareDeclaration(ffi, declared.get(ffi.name)).lines);
	expect(lines).toContain(
		'_Static_assert(sizeof(*(__typeof__(esp_chip_info_t *))0) <= 12, "esp_chip_info: argument 0 points to esp_chip_info_t *, and FFI hands over 12 bytes");',
	);
	expect(lines.filter((line) => line.includes("esp_read_mac"))).toHaveLength(3);
	expect(lines.some((line) => line.includes("esp_chip_info: the result"))).toBe(false);
});

test("without the SDK or ESP-IDF it says what is missing, and fails", () => {
	const without = runScriptFile("scripts/check-chip.ts", []);
	expect([without.code, without.stderr]).toEqual([1, expect.stringMatching(/^The Moddable SDK is missing/)]);
	for (const path of ["lin", "mac", "win"]) mkdirSync(join(folder, "build/bin", path, "release"), { recursive: true });
	mkdirSync(join(folder, "examples"));
	writeFileSync(join(folder, "examples/manifest_base.json"), "{}");
	for (const path of ["lin/release/mcconfig", "mac/release/mcconfig", "win/release/mcconfig.exe"]) writeFileSync(join(folder, "build/bin", path), "");
	const { code, stderr } = runScriptFile("scripts/check-chip.ts", [], { MODDABLE: folder });
	expect(code).toBe(1);
	expect(stderr).toMatch(/^Missing for compiling the natives:\n {2}ESP-IDF: the environment variable IDF_PATH is not set\./);
	expect(runScriptFile("scripts/check-chip.ts", [], { MODDABLE: folder, IDF_PATH: folder }).stderr).toContain("there are no components");
});
