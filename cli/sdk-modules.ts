// Looks for modules of the SDK that a build needs and does not have: to mcconfig a file that is not there is no error.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The modules that a build links, by the names that they are imported under.
 * @param makefile what mcconfig made of all manifests
 */
export function linkedModules(makefile: string): Set<string> {
	return new Set([...makefile.matchAll(/^\t\$\(MODULES_DIR\)\/(\S+?)\.xsb\\?$/gm)].map(([, name = ""]) => name.replace(/^~\.(\w+)\//, "$1:")));
}

/**
 * What the modules of src/sdk import and the build does not link, one line each.
 * @param folder src/sdk
 */
export function missingModules(makefile: string, folder: string): string[] {
	const linked = linkedModules(makefile);
	return [...linked].flatMap((name) => {
		const file = join(folder, `${name.replace(/^sdk\//, "")}.ts`);
		if (!name.startsWith("sdk/") || !existsSync(file)) return [];
		const imports = [...readFileSync(file, "utf8").matchAll(/^(?:import|export) (?!type\b).*?from "([^."][^"]*)"/gm)];
		return imports.filter(([, wanted = ""]) => !linked.has(wanted)).map(([, wanted]) => `${wanted}, which src/${name}.ts imports`);
	});
}
