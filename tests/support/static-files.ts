// A server of static files on 127.0.0.1, as any host of them is: it sends no headers but the type.

import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

const TYPES: { readonly [ending: string]: string } = {
	html: "text/html",
	js: "text/javascript",
	css: "text/css",
	svg: "image/svg+xml",
	png: "image/png",
};

/** Serves a folder; `/page` is `page.html`, and `/folder/` its `index.html`. */
export async function serveFiles(folder: string): Promise<{ origin: string; close(): void }> {
	const server = createServer((request, response) => {
		const path = decodeURIComponent(new URL(request.url ?? "/", "http://site").pathname);
		const file = [path, `${path}.html`, join(path, "index.html")]
			.map((name) => join(folder, name))
			.find((name) => existsSync(name) && statSync(name).isFile());
		if (!file) return response.writeHead(404).end();
		response.writeHead(200, { "Content-Type": TYPES[file.split(".").at(-1) ?? ""] ?? "application/octet-stream" });
		createReadStream(file).pipe(response);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}
