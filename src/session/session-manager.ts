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
	onLost(name: string, reason: string): void;
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
	onLost(name: string, reason: string): void;
}

/** The sessions of a device, by name. `S` is what a session is made of; settings are the same when their JSON is. */
export class SessionManager<S extends { readonly name: string }> {
	readonly #options: SessionManagerOptions<S>;
	readonly #sessions = new Map<string, { readonly settings: string; readonly session: ManagedSession }>();
	readonly #ready = new Set<string>();

	constructor(options: SessionManagerOptions<S>) {
		this.#options = options;
	}

	/** Starts what is new, replaces what has changed, closes what is gone; what stays the same goes on undisturbed. */
	update(wanted: readonly S[]): void {
		const names = wanted.map(({ name }) => name);
		for (const name of [...this.#sessions.keys()]) if (!names.includes(name)) this.#close(name);
		for (const settings of wanted) {
			const { name } = settings;
			const text = JSON.stringify(settings);
			if (this.#sessions.get(name)?.settings === text) continue;
			// Before the new one: two connections of one device make some servers deaf.
			this.#close(name);
			this.#start(settings, text);
		}
	}

	/** Opens the sessions that are open only on demand. */
	wake(): void {
		for (const { session } of this.#sessions.values()) session.wake?.();
	}

	/** Says a sentence to the first assistant that there is. @returns false when there is none now */
	say(text: string): boolean {
		for (const { session } of this.#sessions.values()) if (session.say?.(text)) return true;
		return false;
	}

	/** Closes every session. */
	close(): void {
		this.update([]);
	}

	/** Settings that can never work cost a line in the log, not the other sessions. */
	#start(settings: S, text: string): void {
		const { create, log, onChange, onLost, onReady, onStarted } = this.#options;
		const { name } = settings;
		try {
			const session: ManagedSession = create(settings, {
				onReady: (ready) => {
					if (this.#sessions.get(name)?.session !== session) return;
					if (ready) this.#ready.add(name);
					else this.#ready.delete(name);
					onChange(this.#ready.size);
					if (ready) onReady(settings);
				},
				onLost,
			});
			this.#sessions.set(name, { settings: text, session });
			session.start();
			onStarted(settings);
			onChange(this.#ready.size);
		} catch (error) {
			this.#sessions.delete(name);
			log(`${name}: ${(error as Error).message}; off until its settings change`);
		}
	}

	#close(name: string): void {
		const old = this.#sessions.get(name);
		if (!old) return;
		this.#sessions.delete(name);
		old.session.close();
		if (this.#ready.delete(name)) this.#options.onChange(this.#ready.size);
	}
}
