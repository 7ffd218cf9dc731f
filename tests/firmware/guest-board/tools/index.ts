// The tools of the simulated board.

export { default } from "../../../../boards/simulator/tools/index.js";
