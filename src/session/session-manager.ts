// Brings the sessions in line with the connections that the device is to have.

/** A session as it is managed. */
export interface ManagedSession {
	/** @throws TypeError or RangeError for settings that can never work */
	start(): void;
	/** Ends it for good. */
	close(): void;
	/** Opens it where it is open only on demand. */
	wake?(): void;
	/** Says a sentence to the assistant behind it. @returns false when there is none now */
	say?(text: string): boolean;
}

/** What a session tells. */
export interface SessionCallbacks {
	/** It goes up (`true`) or down. */
	onReady(ready: boolean): void;
	/** Its connection was lost or could not be made. */
	onLost(reason: string): void;
}

export interface SessionManagerOptions<S> {
	/** Makes a session, not yet started. @throws Error in plain words for settings that can never work */
	create(settings: S, callbacks: SessionCallbacks): ManagedSession;
	log(line: string): void;
	/** A session has begun to connect. */
	onStarted(settings: S): void;
	/** A session was started or closed, or went up or down: how many are ready. */
	onChange(ready: number): void;
	/** A session has become ready. */
	onReady(settings: S): void;
	onLost(settings: S, reason: string): void;
}

/** A session and what it was made of. */
class Entry<S extends { readonly name: string }> implements SessionCallbacks {
	private readonly manager: SessionManager<S>;
	readonly settings: S;
	session: ManagedSession | undefined;

	constructor(manager: SessionManager<S>, settings: S) {
		this.manager = manager;
		this.settings = settings;
	}

	onReady(ready: boolean): void {
		this.manager.changed(this, ready);
	}

	onLost(reason: string): void {
		this.manager.lost(this, reason);
	}
}

/** The sessions of a device, by name. `S` is what a session is made of; settings are the same when their JSON is. */
export class SessionManager<S extends { readonly name: string }> {
	private readonly options: SessionManagerOptions<S>;
	private readonly sessions = new Map<string, Entry<S>>();
	private readonly ready = new Set<string>();

	constructor(options: SessionManagerOptions<S>) {
		this.options = options;
	}

	/** Starts what is new, replaces what has changed, closes what is gone; what stays the same goes on undisturbed. */
	update(wanted: readonly S[]): void {
		const names = wanted.map(({ name }) => name);
		for (const name of [...this.sessions.keys()]) if (!names.includes(name)) this.#close(name);
		for (const settings of wanted) {
			const { name } = settings;
			const old = this.sessions.get(name);
			if (old && JSON.stringify(old.settings) === JSON.stringify(settings)) continue;
			// Before the new one: two connections of one device make some servers deaf.
			this.#close(name);
			this.#start(settings);
		}
	}

	/** Opens the sessions that are open only on demand. */
	wake(): void {
		for (const { session } of this.sessions.values()) session?.wake?.();
	}

	/** Says a sentence to the first assistant that there is. @returns false when there is none now */
	say(text: string): boolean {
		for (const { session } of this.sessions.values()) if (session?.say?.(text)) return true;
		return false;
	}

	/** Closes every session. */
	close(): void {
		this.update([]);
	}

	/** Settings that can never work cost a line in the log, not the other sessions. */
	#start(settings: S): void {
		const { create, log, onChange, onStarted } = this.options;
		const { name } = settings;
		const entry = new Entry<S>(this, settings);
		try {
			const session = create(settings, entry);
			entry.session = session;
			this.sessions.set(name, entry);
			session.start();
			onStarted(settings);
			onChange(this.ready.size);
		} catch (error) {
			this.sessions.delete(name);
			log(`${name}: ${(error as Error).message}; off until its settings change`);
		}
	}

	/** A session went up or down; one that was replaced has no say. */
	changed(entry: Entry<S>, ready: boolean): void {
		const { settings } = entry;
		const { name } = settings;
		if (this.sessions.get(name) !== entry) return;
		if (ready) this.ready.add(name);
		else this.ready.delete(name);
		this.options.onChange(this.ready.size);
		if (ready) this.options.onReady(settings);
	}

	lost({ settings }: Entry<S>, reason: string): void {
		this.options.onLost(settings, reason);
	}

	#close(name: string): void {
		const old = this.sessions.get(name);
		if (!old) return;
		this.sessions.delete(name);
		old.session?.close();
		if (this.ready.delete(name)) this.options.onChange(this.ready.size);
	}
}
