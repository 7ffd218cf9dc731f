// `npm run docs:faults`: writes the table of faults into docs/reliability.md, from those that the tests go through.

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { renewFaultTable } from "./table.js";

const file = fileURLToPath(new URL("../../docs/reliability.md", import.meta.url));
const before = readFileSync(file, "utf8");
const after = renewFaultTable(before);
if (after !== before) writeFileSync(file, after);
console.log(`docs/reliability.md: ${after === before ? "was up to date" : "written"}`);
