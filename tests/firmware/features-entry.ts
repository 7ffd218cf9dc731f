// The firmware as it is, whose owner's tools a test can call.

import { server } from "main";

async function call(name: string, args: object): Promise<string> {
	try {
		return String(await server.find(name, true)?.call(args as never, server.board as never, undefined as never));
	} catch (error) {
		return (error as Error).message;
	}
}
Object.assign(globalThis, { call });
