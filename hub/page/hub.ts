// The page of `npm start` and `npm run backend`.

import { hubSource } from "./hub-source.js";
import { start } from "./main.js";

start(hubSource);
