// The connections that a device's settings describe, typed after the table.

import { SETTING_NAMES, SETTINGS, type SettingName, type SettingRow } from "./table.js";

/** What a setting's text turned out to be. */
export type Parsed = { readonly value: unknown } | { readonly problem: string };

type Rows = typeof SETTINGS;
/** The value of a setting. */
export type SettingValue<N extends SettingName> = ReturnType<Rows[N]["parse"]>;
type Kind = { [N in SettingName]: Rows[N] extends { connection: `${infer K}.${string}` } ? K : never }[SettingName];
type Members<K extends Kind> = {
	readonly [N in SettingName as Rows[N] extends { connection: `${K}.${infer M}`; required: true } ? M : never]: SettingValue<N>;
} & {
	readonly [N in SettingName as Rows[N] extends { connection: `${K}.${infer M}` } ? (Rows[N] extends { required: true } ? never : M) : never]?:
		| SettingValue<N>
		| undefined;
};

/** A connection that cannot work, and why. */
export interface InvalidConnection {
	readonly kind: Kind;
	readonly name: string;
	/** In plain words; no secret is in them. */
	readonly problem: string;
}

/** One connection: its kind, its name in the log, and its settings, each parsed. */
export type ConnectionSettings = { [K in Kind]: { readonly kind: K; readonly name: string } & Members<K> }[Kind] | InvalidConnection;

/** The kinds of connections, in the order of the table. */
const KINDS = Object.freeze([...new Set(SETTING_NAMES.flatMap((name) => rowOf(name).connection?.split(".")[0] ?? []))]) as readonly Kind[];

/** The row of a setting, without its literal types. */
export function rowOf(name: SettingName): SettingRow {
	return SETTINGS[name];
}

/** What each value in a text turns out to be; none in "". Of values that are the same one counts. */
export function parseSetting(name: SettingName, text: string): readonly Parsed[] {
	const { list, parse } = rowOf(name);
	const texts = list ? [...new Set(text.split(" "))] : [text];
	return texts
		.filter((text) => text)
		.map((text) => {
			try {
				return { value: parse(text) };
			} catch (error) {
				return { problem: (error as Error).message };
			}
		});
}

/**
 * The connections that settings describe, each alone or beside the others.
 * @param parsedOf gives what there is of a setting
 */
export function connectionsOf(parsedOf: (name: SettingName) => readonly Parsed[]): ConnectionSettings[] {
	return KINDS.flatMap((kind) => {
		const names = SETTING_NAMES.filter((name) => rowOf(name).connection?.startsWith(`${kind}.`));
		let addresses: readonly Parsed[] = [];
		let addressMember = "";
		let problem: string | undefined;
		const others: { [member: string]: unknown } = {};
		for (const name of names) {
			const { connection, required } = rowOf(name);
			const member = connection?.split(".")[1] as string;
			const parsed = parsedOf(name);
			if (required) {
				addresses = parsed;
				addressMember = member;
			} else if (parsed[0]) {
				if ("problem" in parsed[0]) problem ??= `${name}: ${parsed[0].problem}`;
				else others[member] = parsed[0].value;
			}
		}
		return addresses.map((address, i) => {
			const name = addresses.length > 1 ? `${kind} ${i + 1}` : kind;
			if ("problem" in address) return { kind, name, problem: address.problem };
			if (problem !== undefined) return { kind, name, problem };
			return { kind, name, [addressMember]: address.value, ...others } as ConnectionSettings;
		});
	});
}

/** The secrets of a connection, as they go over it: its own, and the query of its address, which may hold one. */
export function secretsOf(connection: ConnectionSettings): readonly string[] {
	const secrets: string[] = [];
	for (const name of SETTING_NAMES) {
		const { connection: place, secret, required } = rowOf(name);
		const [kind, member = ""] = place?.split(".") ?? [];
		if (kind !== connection.kind || !(member in connection)) continue;
		const value = (connection as unknown as { [member: string]: unknown })[member];
		if (secret && typeof value === "string") secrets.push(value);
		if (required) secrets.push(...querySecrets(value));
	}
	return secrets;
}

/** The values in an address's query; any of them may be a token. */
export function querySecrets(address: unknown): readonly string[] {
	const path = (address as { readonly path?: string }).path ?? "";
	const query = path.indexOf("?");
	if (query < 0) return [];
	return path
		.slice(query + 1)
		.split("&")
		.map((pair) => pair.slice(pair.indexOf("=") + 1));
}
