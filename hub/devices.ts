// The hub's one list of devices: whoever takes devices in adds their sessions here, whoever offers them to others reads here.

import type { CallToolResult, ReadResourceResult, Resource, ResourceTemplateType, Tool } from "@modelcontextprotocol/client";
import type { CallOptions, DeviceSession, Via, WireDirection } from "./device-session.js";

/** More devices than this are not remembered; one that has been away longest is forgotten first. */
export const MAX_DEVICES = 256;

/** A device that the hub knows is not connected at the moment; the message names it. */
export class AwayError extends Error {}

/** A device that has been discovered at least once. What it has is kept while it is away. */
export class Device {
	readonly id: string;
	via: Via = "websocket";
	/** As the device calls itself. */
	name = "";
	version = "";
	instructions: string | undefined;
	/** For models. */
	tools: readonly Tool[] = [];
	/** For people only. Empty unless the hub asks for them. */
	userTools: readonly Tool[] = [];
	resources: readonly Resource[] = [];
	resourceTemplates: readonly ResourceTemplateType[] = [];
	/** The session that stands; undefined while the device is away. */
	session: DeviceSession | undefined;
	/** Why the device is away. */
	reason = "it has not connected yet";

	constructor(id: string) {
		this.id = id;
	}

	/** @throws AwayError at once while the device is away or when it goes away meanwhile; else as `DeviceSession.callTool` */
	callTool(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<CallToolResult> {
		return this.#use((session) => session.callTool(name, args, options));
	}

	/** @throws as `callTool` */
	readResource(uri: string, options?: CallOptions): Promise<ReadResourceResult> {
		return this.#use((session) => session.readResource(uri, options));
	}

	/** @throws as `callTool` */
	subscribeResource(uri: string): Promise<void> {
		return this.#use((session) => session.subscribeResource(uri));
	}

	async #use<T>(work: (session: DeviceSession) => Promise<T>): Promise<T> {
		const { session } = this;
		if (!session) throw new AwayError(`${this.name} is away: ${this.reason}`);
		try {
			return await work(session);
		} catch (error) {
			if (session.over) throw new AwayError(`${this.name} has gone away: ${await session.ended}`);
			throw error;
		}
	}
}

/** What the list says of a device. */
export function summary(device: Device) {
	const { id, name, version, via, session, reason, tools } = device;
	return {
		...{ id, name, version, via, connected: session !== undefined },
		...(session ? { protocolVersion: session.protocolVersion } : { reason }),
		tools: tools.length,
	};
}

/** Whoever wants to know what happens to the devices. */
export interface DevicesListener {
	/** A session was added and is being discovered. */
	onSession?(session: DeviceSession): void;
	/** A device is there: discovered, or back in a new session. */
	onReady?(device: Device): void;
	/** A session could not be discovered and was closed. */
	onFailed?(session: DeviceSession, reason: string): void;
	/** A session has ended; the device may be connected by another one already. */
	onEnded?(session: DeviceSession, reason: string): void;
	onNotification?(session: DeviceSession, method: string, params: unknown): void;
	/** A message of a session as it goes over the wire. */
	onWire?(session: DeviceSession, direction: WireDirection, text: string): void;
	/** What the devices have may be other than before. */
	onChange?(): void;
	onResourceUpdated?(device: Device, uri: string): void;
	onProblem?(problem: string): void;
}

export interface DevicesOptions {
	/** Ask each device for its user-only tools as well. */
	withUserTools?: boolean;
}

export class Devices {
	readonly #options: DevicesOptions;
	readonly #listeners = new Set<DevicesListener>();
	readonly #devices = new Map<string, Device>();
	/** The newest session of each device, discovered or not. */
	readonly #sessions = new Map<string, DeviceSession>();
	readonly #all = new Set<DeviceSession>();

	constructor(options: DevicesOptions = {}) {
		this.#options = options;
	}

	/** The devices that are known, present or not, by when they were first discovered. */
	get known(): readonly Device[] {
		return [...this.#devices.values()];
	}

	/** By its id, or by its name where only one device has it. */
	find(idOrName: string): Device | undefined {
		const byId = this.#devices.get(idOrName);
		if (byId) return byId;
		const named = this.known.filter(({ name }) => name === idOrName);
		return named.length === 1 ? named[0] : undefined;
	}

	/** @returns ends the listening */
	listen(listener: DevicesListener): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	/**
	 * Takes a session in and discovers its device. An older session of the same device ends.
	 * Settles when that has succeeded or failed; never rejects.
	 */
	async add(session: DeviceSession): Promise<void> {
		this.#all.add(session);
		if (session.deviceId !== undefined) this.#claim(session.deviceId, session);
		void session.ended.then((reason) => this.#onEnded(session, reason));
		session.onWire = (direction, text) => this.#tell("onWire", session, direction, text);
		session.onNotification = (method, params) => this.#onNotification(session, method, params);
		this.#tell("onSession", session);
		try {
			await session.initialize();
			session.deviceId ??= session.server?.name ?? session.id;
			if (this.#sessions.get(session.deviceId) !== session) this.#claim(session.deviceId, session);
			const found = await this.#discover(session);
			if (session.over) return;
			this.#onDiscovered(session.deviceId, session, found);
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			if (!session.over) this.#tell("onFailed", session, reason);
			session.close(reason);
		}
	}

	/** Ends all sessions. May be called twice. */
	close(reason?: string): void {
		for (const session of this.#all) session.close(reason);
	}

	#claim(id: string, session: DeviceSession): void {
		this.#sessions.get(id)?.close("the device opened a new connection");
		this.#sessions.set(id, session);
	}

	async #discover(session: DeviceSession) {
		const tools = await session.listTools();
		const names = new Set(tools.map(({ name }) => name));
		const all = this.#options.withUserTools ? await session.listTools(true) : tools;
		const forPeople = (tool: Tool) => {
			const audience = (tool.annotations as { audience?: unknown } | undefined)?.audience;
			return !names.has(tool.name) || (Array.isArray(audience) && audience.length === 1 && audience[0] === "user");
		};
		const resources = await session.listResources();
		const resourceTemplates = await session.listResourceTemplates();
		return { tools: tools.filter((tool) => !forPeople(tool)), userTools: all.filter(forPeople), resources, resourceTemplates };
	}

	#onDiscovered(id: string, session: DeviceSession, found: Pick<Device, "tools" | "userTools" | "resources" | "resourceTemplates">): void {
		let device = this.#devices.get(id);
		if (!device) {
			device = new Device(id);
			this.#forgetOne();
			this.#devices.set(id, device);
		}
		Object.assign(device, found, {
			session,
			via: session.via,
			name: session.server?.name ?? id,
			version: session.server?.version ?? "",
			instructions: session.instructions,
		});
		this.#tell("onReady", device);
		this.#tell("onChange");
	}

	#onEnded(session: DeviceSession, reason: string): void {
		this.#all.delete(session);
		const id = session.deviceId;
		if (id !== undefined && this.#sessions.get(id) === session) this.#sessions.delete(id);
		const device = id === undefined ? undefined : this.#devices.get(id);
		if (device?.session === session) {
			device.session = undefined;
			device.reason = reason;
		}
		this.#tell("onEnded", session, reason);
	}

	#onNotification(session: DeviceSession, method: string, params: unknown): void {
		this.#tell("onNotification", session, method, params);
		const device = session.deviceId === undefined ? undefined : this.#devices.get(session.deviceId);
		if (!device || device.session !== session) return;
		if (method === "notifications/resources/updated") {
			const uri = (params as { uri?: unknown } | undefined)?.uri;
			if (typeof uri === "string") this.#tell("onResourceUpdated", device, uri);
		} else if (method === "notifications/tools/list_changed" || method === "notifications/resources/list_changed")
			void this.#rediscover(device, session);
	}

	/** One round at a time; what changes meanwhile is seen by one more round. */
	async #rediscover(device: Device, session: DeviceSession): Promise<void> {
		const stale = this.#stale;
		if (stale.has(session)) {
			stale.set(session, true);
			return;
		}
		try {
			do {
				stale.set(session, false);
				const found = await this.#discover(session);
				if (device.session === session) this.#onDiscovered(device.id, session, found);
			} while (stale.get(session));
		} catch (error) {
			if (!session.over) this.#tell("onProblem", `${device.name}: its lists have changed and cannot be read: ${(error as Error).message}`);
		} finally {
			stale.delete(session);
		}
	}
	readonly #stale = new Map<DeviceSession, boolean>();

	#forgetOne(): void {
		if (this.#devices.size < MAX_DEVICES) return;
		const away = this.known.find(({ session }) => !session) ?? this.known[0];
		if (!away) return;
		away.session?.close("too many devices");
		this.#devices.delete(away.id);
	}

	#tell<K extends keyof DevicesListener>(event: K, ...values: Parameters<NonNullable<DevicesListener[K]>>): void {
		for (const listener of this.#listeners) (listener[event] as ((...values: unknown[]) => void) | undefined)?.(...values);
	}
}
