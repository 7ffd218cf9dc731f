// MCP over HTTP, where the device is the server; undefined where a board leaves it out.

import { HttpService, type HttpServiceOptions } from "../session/http-service.js";
import { ownHttpToken } from "../system/http-token.js";

/** The service, with a token of the device's own where its owner has given none. */
function createHttpService<B>({ token, ...options }: Omit<HttpServiceOptions<B>, "token"> & { token?: string | undefined }): HttpService<B> {
	return new HttpService({ ...options, token: token ?? ownHttpToken(options.name, options.log) });
}

const feature: typeof createHttpService | undefined = createHttpService;
export default feature;
