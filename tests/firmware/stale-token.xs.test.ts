// A token that has become old, through the whole firmware on the XS engine: the backend refuses it as the Python server does, and the
// configuration server gives another one.

import { expect, test } from "@jest/globals";
import { backend, configurationServer, LONG_MS, startSlowly } from "./life.js";

test(
	"is replaced by the one that the configuration server gives when it is asked again, after 5 minutes at the earliest",
	async () => {
		const peer = await backend();
		const server = await configurationServer((_request, response) => {
			const token = server.requests.length > 1 ? "new" : "old";
			response.end(JSON.stringify({ websocket: { url: peer.url, token } }));
		});
		const { device, log, meanwhile } = await startSlowly({ ota_url: server.url, device_id: "02:00:00:00:00:01" });
		const first = await meanwhile(peer.connection());
		expect(first.request.headers.authorization).toBe("Bearer old");
		first.socket.send("认证失败");
		first.socket.close(1000);
		await meanwhile(log.logged(/the server says "认证失败"/));
		await device.advance(290_000);
		expect(server.requests).toHaveLength(1);
		while (server.requests.length < 2) {
			await device.advance(500);
			await new Promise((resolve) => setImmediate(resolve));
		}
		expect(log.lines).toContain("configuration: the server that it names refuses this device");
		let token: string | undefined;
		while (token !== "Bearer new") {
			const connection = await meanwhile(peer.connection());
			token = connection.request.headers.authorization;
			if (token === "Bearer new") await Promise.all([connection.hello(), meanwhile(log.logged(/^session: ready/))]);
		}
	},
	LONG_MS,
);
