// "simulator/turns": calls back after each event of the host, and before something is sent.
export { onTurn } from "./bridge.js";
