// Real MQTT brokers for tests: aedes in this process, and mosquitto where the machine has it.

import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Aedes } from "aedes";

/** The one account that both brokers let in. */
export const ACCOUNT = { username: "device", password: "s3cret-f@r-mqtt" };

export interface Broker {
	readonly port: number;
	/** Ends all connections, as a broker that goes down, and takes new ones. */
	cut(): void;
	close(): Promise<void>;
}

const freePort = () =>
	new Promise<number>((resolve) => {
		const server = createServer().listen(0, "127.0.0.1", () => {
			const { port } = server.address() as AddressInfo;
			server.close(() => resolve(port));
		});
	});

/** aedes from the registry. */
export async function startAedes(): Promise<Broker> {
	const broker = await Aedes.createBroker();
	broker.authenticate = (_, username, password, done) => done(null, username === ACCOUNT.username && password?.toString() === ACCOUNT.password);
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.on("close", () => sockets.delete(socket));
		broker.handle(socket);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
	const cut = () => {
		for (const socket of sockets) socket.destroy();
	};
	return {
		port: (server.address() as AddressInfo).port,
		cut,
		async close() {
			cut();
			await new Promise((resolve) => server.close(resolve));
			await new Promise<void>((resolve) => broker.close(() => resolve()));
		},
	};
}

const MOSQUITTO = ["mosquitto", "/usr/sbin/mosquitto"].find((program) => !spawnSync(program, ["-h"]).error);
export const hasMosquitto = MOSQUITTO !== undefined;

/** mosquitto from the system's packages. */
export async function startMosquitto(): Promise<Broker> {
	const program = MOSQUITTO as string;
	const folder = mkdtempSync(join(tmpdir(), "mosquitto-"));
	const passwords = join(folder, "passwords");
	const port = await freePort();
	writeFileSync(passwords, "");
	execFileSync("mosquitto_passwd", ["-b", passwords, ACCOUNT.username, ACCOUNT.password], { stdio: "ignore" });
	const settings = join(folder, "mosquitto.conf");
	const user = process.getuid?.() === 0 ? "user root\n" : "";
	writeFileSync(settings, `${user}listener ${port} 127.0.0.1\nallow_anonymous false\npassword_file ${passwords}\npersistence false\n`);
	let child: ChildProcess;
	const start = async () => {
		child = spawn(program, ["-c", settings], { stdio: "ignore" });
		while (!(await reachable(port))) if (child.exitCode !== null) throw new Error(`mosquitto ended with ${child.exitCode}`);
	};
	const stop = () =>
		new Promise<void>((resolve) => {
			if (child.exitCode !== null || child.signalCode !== null) return resolve();
			child.once("exit", () => resolve());
			child.kill("SIGTERM");
		});
	await start();
	let restarting: Promise<void> | undefined;
	return {
		port,
		cut() {
			restarting = stop().then(start);
		},
		async close() {
			await restarting;
			await stop();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

function reachable(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = connectTcp(port, "127.0.0.1", () => {
			socket.destroy();
			resolve(true);
		});
		socket.on("error", () => setTimeout(() => resolve(false), 20));
	});
}
