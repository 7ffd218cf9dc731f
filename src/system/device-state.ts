// What the device is doing, as the backends are told by `notifications/state_changed` (seeds 002, 004).

export type DeviceState = "starting" | "connecting" | "idle" | "executing" | "upgrading";

/** Works out the state and reports each change of it. */
export class DeviceStateTracker {
	readonly #onChange: (newState: DeviceState, oldState: DeviceState) => void;
	#state: DeviceState = "starting";
	#connected = false;
	#running = 0;
	#upgrading = false;

	constructor(onChange: (newState: DeviceState, oldState: DeviceState) => void) {
		this.#onChange = onChange;
	}

	get state(): DeviceState {
		return this.#state;
	}

	/** Is there a session that is ready? */
	setConnected(connected: boolean): void {
		this.#connected = connected;
		this.update();
	}

	/** How many calls are running now? */
	setRunning(running: number): void {
		this.#running = running;
		this.update();
	}

	/** Is the firmware being replaced? */
	setUpgrading(upgrading: boolean): void {
		this.#upgrading = upgrading;
		this.update();
	}

	private update(): void {
		const state = this.#upgrading ? "upgrading" : !this.#connected ? "connecting" : this.#running > 0 ? "executing" : "idle";
		if (state === this.#state) return;
		const old = this.#state;
		this.#state = state;
		this.#onChange(state, old);
	}
}
