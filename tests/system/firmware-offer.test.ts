// What a device does about newer firmware that its configuration server knows.

import { beforeEach, expect, test } from "@jest/globals";
import Preference from "preference";
import { FirmwareOffer, type FirmwareOfferOptions, OFFER_SHOWN_MS } from "system/firmware-offer";
import { ManualTimers, settle } from "../mcp/support.js";

const URL = "https://config/fw.bin";

beforeEach(() => {
	for (const key of Preference.keys("mcp-life")) Preference.delete("mcp-life", key);
});

function createOffer(more: Partial<FirmwareOfferOptions> = {}) {
	const timers = new ManualTimers();
	const happened: string[] = [];
	const offer = new FirmwareOffer({
		version: "1.2.0",
		timers,
		log: (line) => happened.push(line),
		notify: ({ version }) => happened.push(`notify ${version}`),
		show: (text) => happened.push(`show ${text}`),
		...more,
	});
	return { offer, timers, happened };
}

test("a newer version is announced once, in the log, to the peers and for a minute on the screen", () => {
	const { offer, timers, happened } = createOffer();
	offer.take({ version: "1.3.0", url: URL });
	offer.take({ version: "1.3.0", url: URL });
	timers.advance(OFFER_SHOWN_MS);
	expect(happened).toEqual([
		"upgrade: version 1.3.0 is available; self.upgrade_firmware installs it",
		"notify 1.3.0",
		"show Firmware 1.3.0 is available",
		"show ",
	]);
	expect(offer.url).toBe(URL);
	offer.close();
	expect(timers.size).toBe(0);
});

test.each(["1.2.0", "1.1.9", "newest", ""])("%p is no newer version", (version) => {
	const { offer, happened } = createOffer();
	offer.take({ version, url: URL });
	expect([happened, offer.url]).toEqual([[], undefined]);
});

test("by itself each version is installed once, as one that failed its trial is still offered", async () => {
	const installed: string[] = [];
	const install = async (url: string) => installed.push(url);
	createOffer({ install }).offer.take({ version: "1.3.0", url: URL });
	const { offer, happened } = createOffer({ install });
	offer.take({ version: "1.3.0", url: URL });
	expect(happened.at(-1)).toBe("upgrade: it was installed by itself before, and is not running: left to the owner");
	expect(installed).toEqual([URL]);
	offer.take({ version: "1.4.0", url: URL });
	expect(installed).toHaveLength(2);
});

test("an offer without an address, and an image that is refused, cost a line in the log", async () => {
	const install = () => Promise.reject(new Error("The server answered 404"));
	const { offer, happened } = createOffer({ install });
	offer.take({ version: "1.3.0" });
	expect(happened[0]).toBe("upgrade: version 1.3.0 is available, but the server does not say where");
	offer.take({ version: "1.4.0", url: URL });
	await settle();
	expect(happened.at(-1)).toBe("upgrade: not installed by itself: The server answered 404");
});
