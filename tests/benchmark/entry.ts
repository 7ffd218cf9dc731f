// The benchmark in the XS worker.

import "../../simulator/runtime/globals.js";
import { bench, makeTools } from "./bench.js";

Object.assign(globalThis, { bench: (count: number, operation: string, rounds: number) => bench(makeTools(count), operation, rounds) });
