// Builds the page that needs no program: static files, of which the firmware of a board is loaded when somebody looks at it.

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleFirmware } from "../simulator/bundle.js";
import { runEsbuild } from "../simulator/esbuild.js";
import { PAGE_BUILD } from "./page.js";

/** The workers are made of blobs, and are under the same policy: nothing on this page reaches a network. */
const POLICY =
	"default-src 'none'; script-src 'self'; worker-src blob:; style-src 'self'; img-src 'self' data:; media-src data:; connect-src 'none'; base-uri 'none'; form-action 'none'";

/**
 * Writes the page into a folder, whatever was there before. Any server of static files can serve it.
 * @param boards folders of boards/; the first is shown where none is chosen by `#device=NAME`
 * @throws Error with esbuild's words when something does not build
 */
export async function buildLivePage(folder: string, boards: readonly [string, ...string[]]): Promise<void> {
	const page = fileURLToPath(new URL("page/", import.meta.url));
	const worker = fileURLToPath(new URL("../simulator/browser/worker.ts", import.meta.url));
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(join(folder, "boards"), { recursive: true });
	await runEsbuild({
		...PAGE_BUILD,
		absWorkingDir: page,
		entryPoints: { main: "live/main.ts", worker },
		outdir: folder,
		format: "iife",
		define: { LIVE_BOARDS: JSON.stringify(boards) },
	});
	for (const board of boards) {
		const { code } = await bundleFirmware({ board });
		await runEsbuild({ stdin: { contents: code }, outfile: join(folder, "boards", `${board}.js`), minify: true, charset: "utf8", target: "es2022" });
	}
	const html = readFileSync(join(page, "index.html"), "utf8")
		.replaceAll('"/page/', '"./')
		.replace('<meta charset="utf-8">', (charset) => `${charset}\n\t\t<meta http-equiv="Content-Security-Policy" content="${POLICY}">`);
	writeFileSync(join(folder, "index.html"), html);
	cpSync(join(page, "icon.svg"), join(folder, "icon.svg"));
}
