import { sql } from "kysely";
import { isId } from "./ids.ts";

export function writeCursor(keys: string[]): string {
  return Buffer.from(JSON.stringify(keys)).toString("base64url");
}

export function readCursor(word: string | null, length: number): string[] | null {
  if (!word) return null;
  try {
    const keys: unknown = JSON.parse(Buffer.from(word, "base64url").toString("utf8"));
    if (!Array.isArray(keys) || keys.length !== length) return null;
    return keys.every((key) => typeof key === "string" && !key.includes("\0")) ? keys : null;
  } catch {
    return null;
  }
}

/** Selects text in whole microseconds: a Date keeps milliseconds only. */
export function toMicros(column: string) {
  return sql<string>`(extract(epoch from ${sql.ref(column)}) * 1000000)::bigint::text`;
}

export function fromMicros(micros: string) {
  return sql`timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond'`;
}

export function isBeyond(after: string | null, time: string, order: "asc" | "desc") {
  const [micros = "", id = ""] = readCursor(after, 2) ?? [];
  if (!/^\d{1,16}$/.test(micros) || !isId(id)) return sql`true`;
  const beyond = order === "asc" ? sql`>` : sql`<`;
  return sql`(${sql.ref(time)}, id) ${beyond} (${fromMicros(micros)}, ${id}::uuid)`;
}
