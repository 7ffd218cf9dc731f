// The page of `npm start` and `npm run backend`: bundled when the program starts, and served from memory.

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { boardNames, root } from "../cli/boards.js";
import { runEsbuild } from "../simulator/esbuild.js";
import { Bench } from "./bench-routes.js";
import type { BenchOptions } from "./bench-stream.js";
import { deviceRoutes } from "./device-routes.js";
import type { Route } from "./http-server.js";
import type { Observer } from "./observer.js";
import { drawRealDevices, type Panel } from "./real-devices.js";

const HEADERS = {
	"Cache-Control": "no-cache",
	"X-Content-Type-Options": "nosniff",
	"Referrer-Policy": "no-referrer",
	// What a device sends can show itself as text and pictures, and do nothing.
	"Content-Security-Policy":
		"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** How scripts for browsers are bundled. */
export const PAGE_BUILD = {
	bundle: true,
	minify: true,
	format: "esm",
	target: "chrome120,firefox121,safari17".split(","),
	jsx: "automatic",
	jsxImportSource: "preact",
	charset: "utf8",
	legalComments: "none",
	logLevel: "silent",
} as const;

interface PageFiles {
	/** Changes when the page does. */
	readonly build: string;
	/** For `openRoutes`: the page itself at `/`, and what it loads. */
	readonly routes: Readonly<Record<string, Route>>;
}

/** What the page takes of an HTTP server. */
export interface Page {
	readonly routes: Readonly<Record<string, Route>>;
	readonly openRoutes: Readonly<Record<string, Route>>;
	/** Lets all pages go. */
	close(): void;
}

/** @throws Error with esbuild's words when the page does not build */
export async function createPage(observer: Observer, options: Omit<BenchOptions, "build">): Promise<Page> {
	const { build, routes: openRoutes } = await buildPage();
	const bench = new Bench(observer, { ...options, build });
	drawRealDevices(observer, panelOf);
	const { userTools } = options;
	return { routes: { bench: bench.route, devices: deviceRoutes(observer.devices, { userTools }) }, openRoutes, close: () => bench.close() };
}

/** What a board of this repository calls its parts. */
function panelOf(board: string): Panel | undefined {
	const file = boardNames().includes(board) ? join(root, "boards", board, "panel.json") : "";
	return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Panel) : undefined;
}

async function buildPage(): Promise<PageFiles> {
	const folder = fileURLToPath(new URL("page/", import.meta.url));
	const { outputFiles } = await runEsbuild({
		...PAGE_BUILD,
		absWorkingDir: folder,
		entryPoints: ["hub.ts"],
		outdir: folder,
		write: false,
	});
	const built = (suffix: string) => outputFiles.find((file) => file.path.endsWith(suffix))?.text ?? "";
	const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
		"/": ["text/html; charset=utf-8", readFileSync(`${folder}index.html`, "utf8")],
		"/page/main.js": ["text/javascript; charset=utf-8", built(".js")],
		"/page/main.css": ["text/css; charset=utf-8", built(".css")],
		"/page/icon.svg": ["image/svg+xml", readFileSync(`${folder}icon.svg`, "utf8")],
	};
	const hash = createHash("sha256");
	for (const [, text] of Object.values(files)) hash.update(text);
	const route: Route = (request, response, path) => {
		const file = Object.hasOwn(files, path) ? files[path] : undefined;
		if (request.method !== "GET" && request.method !== "HEAD") response.writeHead(405, { Allow: "GET, HEAD" }).end();
		else if (!file) response.writeHead(404, { "Content-Type": "text/plain" }).end("There is nothing here.\n");
		else response.writeHead(200, { ...HEADERS, "Content-Type": file[0] }).end(file[1]);
	};
	return { build: hash.digest("base64url").slice(0, 12), routes: { "": route, page: route } };
}
