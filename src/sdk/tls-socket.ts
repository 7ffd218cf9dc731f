// Moddable's TLS socket, which takes the class of the TCP socket below it as an option.

/// <reference path="../../typings/tls-socket.d.ts" />
import TLS from "embedded:io/socket/tcp/tls";
import type { SocketConstructor } from "./tcp.js";

const TlsSocket = TLS as unknown as SocketConstructor;
export default TlsSocket;
