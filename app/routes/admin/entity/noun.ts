import type { EntityNoun } from "#app/platform/schema.ts";

export const pathOf = (noun: EntityNoun) => `/admin/${noun}s`;
export const idName = (noun: EntityNoun) => `${noun}Id` as const;
/** "Partner" at the beginning of a sentence. */
export const titleOf = (noun: EntityNoun) => `${noun[0]!.toUpperCase()}${noun.slice(1)}`;
