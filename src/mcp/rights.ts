// What a peer may do; whoever opens a conversation says so, and nothing that the peer sends changes it.

/** The rights of one peer. */
export interface Rights {
	/** May it list and call the user-only tools? Not where it is not given. */
	readonly userTools?: boolean | undefined;
	/** Why this peer may not call the tool of that name, in one sentence for the caller; undefined where it may. */
	readonly refusal?: ((toolName: string) => string | undefined) | undefined;
}

/** What any peer has. */
export const NO_RIGHTS: Rights = Object.freeze({});
