// The framed service; undefined where a board leaves it out.

import { FRAME_HEAD, FRAME_TAIL, FramedSession, type FramedSessionOptions } from "../session/framed.js";
import { createTcpTransport, type TcpOptions } from "../transports/tcp.js";

/** A session with the service, over TCP. */
function createFramedSession<B>(options: Omit<FramedSessionOptions<B>, "connect">, below: Omit<TcpOptions, "head" | "tail">): FramedSession<B> {
	return new FramedSession({ ...options, connect: createTcpTransport({ ...below, head: FRAME_HEAD, tail: FRAME_TAIL }) });
}

const feature: typeof createFramedSession | undefined = createFramedSession;
export default feature;
