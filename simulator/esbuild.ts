// esbuild's process, shared by whoever bundles something: it would keep a program from ending, so the last one stops it.
import { type BuildOptions, type BuildResult, build, stop } from "esbuild";

let building = 0;

/** Bundles, and leaves no process behind. @throws as esbuild's `build` */
export async function runEsbuild<T extends BuildOptions>(options: T & BuildOptions): Promise<BuildResult<T>> {
	building++;
	try {
		return await build<T>(options as never);
	} finally {
		if (--building === 0) await stop();
	}
}
