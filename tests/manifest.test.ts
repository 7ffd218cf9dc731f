// What lives in flash is what the manifests name: a wildcard in `preload` takes no TypeScript modules (SDK 8.2.3).

import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";

const root = fileURLToPath(new URL("..", import.meta.url));
// biome-ignore lint/suspicious/noExplicitAny: a manifest is looked into freely
const read = (file: string): any => JSON.parse(readFileSync(path.join(root, file), "utf8"));
const modules = (folder: string) =>
	readdirSync(path.join(root, "src", folder))
		.filter((file) => file.endsWith(".ts"))
		.map((file) => `${folder}/${file.slice(0, -3)}`);

describe("src/manifest.json", () => {
	const { preload, modules: mapped, platforms } = read("src/manifest.json");

	test("preloads every module of the core, so that tools and classes cost no RAM", () => {
		const all = Object.keys(mapped)
			.filter((name) => name.endsWith("/*"))
			.flatMap((name) => modules(name.slice(0, -2)));
		// Interfaces only: nothing is left of it.
		const wanted = all.filter((name) => name !== "hardware/hardware" && name !== "hardware/body");
		// Moddable's `preference` reads its file when it is loaded, which in the simulator must not be at link time.
		expect([...preload, ...platforms.esp32.preload].sort()).toEqual(wanted.sort());
	});

	test("has nothing but modules in its folders: other files would go into the firmware", () => {
		for (const folder of ["hardware", "mcp", "session", "system", "tools", "transports"])
			expect(
				readdirSync(path.join(root, "src", folder)).filter((file) => !/^[a-z0-9-]+\.ts$/.test(file) && !file.endsWith(".manifest.json")),
			).toEqual([]);
	});
});

test("no manifest preloads by a wildcard", () => {
	const manifests = ["manifest.json", "src/manifest.json", ...readdirSync(path.join(root, "boards")).map((board) => `boards/${board}/manifest.json`)];
	for (const file of manifests)
		if (existsSync(path.join(root, file))) expect([file, JSON.stringify(read(file).preload ?? []).includes("*")]).toEqual([file, false]);
});
