// A listening socket that stays open as long as the firmware runs, and hands each connection on when it can be used.

import { utf8Bytes } from "../base/bytes.js";
import { errorText } from "../base/text.js";
import { Timeout, type Timers } from "../base/timers.js";
import { PacedSocket } from "../net/paced-socket.js";
import config from "../sdk/config.js";
import TcpListener, { type ListeningSocket } from "../sdk/listener.js";
import type { Socket } from "../sdk/tcp.js";

/**
 * A connection rests so long before it is used: what arrives in the very moment in which the SDK makes a working socket of it
 * meets freed memory (SDK 8.2.3, modules/io/socket/lwip/tcp.c), and a browser has sent its request by then. 0 everywhere but on
 * ESP32, where the manifest sets it.
 */
const REST_MS = Number(config.tcp_rest_ms ?? 0);
/** One who is turned away has so long to send something, so that the answer is not lost. */
const TURN_AWAY_MS = 1000;
/** So many are told so at a time; the next ones are just closed. */
const MAX_TURNED_AWAY = 4;

/** What a listener is given from outside. */
export interface ListenerContext {
	readonly timers: Timers;
	/** Takes what went wrong with a visitor, on one line. */
	log(line: string): void;
	/** Kept as long as the firmware runs. */
	readonly doors: Door[];
}

/** A listening socket, and who is served by it: it is never closed, since lwIP may be at work on it. */
export interface Door {
	readonly base: ListeningSocket;
	/** Takes a connection, to be made into a working one by `new TCP({ from })`; without it visitors are answered 503. */
	onVisitor: ((from: Socket) => void) | undefined;
	/** How many are being turned away. */
	turnedAway: number;
}

/** The door at this port: the one that is there, or a new one. */
export function openDoor(port: number, { timers, log, doors }: ListenerContext): Door {
	const known = doors.find(({ base }) => base.port === port);
	if (known) return known;
	const base: ListeningSocket = new TcpListener({
		port,
		onReadable: (count: number) => {
			for (; count > 0; count--) {
				const from = safely(log, () => base.read());
				if (!from) continue;
				const enter = () => safely(log, () => (door.onVisitor ? door.onVisitor(from) : turnAway(door, from, timers)));
				if (REST_MS > 0) timers.set(enter, REST_MS);
				else enter();
			}
		},
	});
	const door: Door = { base, onVisitor: undefined, turnedAway: 0 };
	doors.push(door);
	return door;
}

const UNAVAILABLE = "HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

/** Tells a visitor to come back later. */
export function turnAway(door: Door, from: Socket, timers: Timers): void {
	const limit = new Timeout(timers);
	const told = door.turnedAway < MAX_TURNED_AWAY;
	door.turnedAway++;
	const end = () => {
		if (!limit.pending) return;
		limit.clear();
		door.turnedAway--;
	};
	limit.set(told ? TURN_AWAY_MS : 0, () => {
		door.turnedAway--;
		socket.close();
	});
	const socket: PacedSocket = new PacedSocket({
		from,
		timers,
		onReadable: () => {
			if (!limit.pending || !told) return;
			end();
			socket.write(utf8Bytes(UNAVAILABLE));
			socket.close();
		},
		onError: end,
	});
}

function safely<T>(log: (line: string) => void, act: () => T): T | undefined {
	try {
		return act();
	} catch (thrown) {
		log(errorText(thrown));
		return undefined;
	}
}
