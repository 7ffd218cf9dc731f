// Before the app is built: the table of chains becomes a resource.

import { mkdirSync, writeFileSync } from "node:fs";
import { makeChains } from "../support/chains.mjs";

const folder = new URL("../../build/certificates/", import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL("chains.dat", folder), JSON.stringify(makeChains()));
