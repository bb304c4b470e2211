import { type Kysely, type Selectable, sql } from "kysely";
import { z } from "zod";
import { readCursor, writeCursor } from "./cursor.server.ts";
import { type Db, hasWords, type Tx } from "./db.server.ts";
import { isId } from "./ids.ts";
import { ENTITIES, type EntityNoun, type Schema } from "./schema.ts";

/** What a form shows for a field, as data: browsers get no schema. */
export interface FieldInput {
  /** What conflicts call it, and its form where that has no `formLabel`. */
  label: string;
  formLabel?: string;
  hint?: string;
  isRequired?: boolean;
  maxLength?: number;
  type?: "tel" | "url";
  inputMode?: "decimal" | "numeric" | "url";
  rows?: number;
  isTick?: boolean;
  choices?: readonly string[];
  suggestions?: readonly string[];
  className?: string;
}

/** A field of the form, and the column of that name in snake case. */
export interface Field<Value> extends FieldInput {
  schema: z.ZodType<Value>;
  initial?: string;
}

type Camel<S> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S;
type Row<N extends EntityNoun> = {
  [C in keyof Columns<N> as Camel<C>]: Columns<N>[C];
};
type Columns<N extends EntityNoun> = Selectable<Schema[(typeof ENTITIES)[N][0]]>;
type Name<N extends EntityNoun> = keyof Row<N> & string;

export type Identified = { id: string; version: number };

/** A small table: what its forms write, and what else is read of a row. */
export interface Entity<Input extends object, Stored extends Identified> {
  noun: EntityNoun;
  fields: { [F in keyof Input & string]: Field<Input[F]> };
  input: z.ZodType<Input>;
  read: readonly string[];
  order: readonly string[];
  searched: readonly string[];
  readonly row?: Stored;
}

/** A list has its first `order` before the id; a search looks at `searched` together. */
export function defineEntity<N extends EntityNoun, F extends Name<N>, More extends Name<N> = never>(
  noun: N,
  {
    fields,
    more = [],
    order,
    searched = [],
  }: {
    fields: { [Each in F]: Field<Row<N>[Each]> };
    more?: readonly More[];
    order: readonly Name<N>[];
    searched?: readonly Name<N>[];
  },
) {
  const names = Object.keys(fields) as F[];
  const schemas = Object.fromEntries(names.map((name) => [name, fields[name].schema]));
  const entity = { noun, fields, order, searched, input: z.object(schemas) };
  const read = ["id", "version", ...names, ...more];
  return { ...entity, read } as unknown as Entity<
    { [Each in F]: Row<N>[Each] },
    { [Each in F | More]: Row<N>[Each] } & Identified
  >;
}

/** Names are checked where the entity is declared. */
type AnyTable = Kysely<Record<string, Record<string, unknown>>>;
export const anyTable = (db: Db) => db as unknown as AnyTable;
export const tableOf = ({ noun }: { noun: EntityNoun }) => ENTITIES[noun][0];

export const columnOf = (name: string) =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

type Readable<Stored extends Identified> = Omit<Entity<never, Stored>, "fields" | "input">;

const selectRows = (db: Db, entity: Pick<Readable<Identified>, "noun" | "read">) =>
  anyTable(db)
    .selectFrom(tableOf(entity))
    .select(entity.read.map((name) => `${columnOf(name)} as ${name}` as const));

/** Null where the id is unknown or no id. */
export async function findRow<Stored extends Identified>(
  db: Db,
  entity: Readable<Stored>,
  id: string | undefined,
): Promise<Stored | null> {
  if (!isId(id)) return null;
  const row = await selectRows(db, entity).where("id", "=", id).executeTakeFirst();
  return (row as Stored | undefined) ?? null;
}

export async function lockRow<Stored extends Identified>(
  tx: Tx,
  entity: Readable<Stored>,
  id: string,
): Promise<Stored | null> {
  if (!isId(id)) return null;
  const row = await selectRows(tx, entity).where("id", "=", id).forUpdate().executeTakeFirst();
  return (row as Stored | undefined) ?? null;
}

/** All rows in their order: for tables of a few dozen. */
export async function listRows<Stored extends Identified>(db: Db, entity: Readable<Stored>) {
  const inOrder = entity.order.reduce(
    (query, name) => query.orderBy(columnOf(name)),
    selectRows(db, entity),
  );
  return (await inOrder.orderBy("id").execute()) as unknown as Stored[];
}

/** Finds rows by the words of `search`, in the entity's first order; `after` is a former `next`. */
export async function searchRows<Stored extends Identified>(
  db: Db,
  entity: Readable<Stored>,
  { search, after, limit }: { search: string; after: string | null; limit: number },
) {
  const sorted = entity.order[0]! as keyof Stored & string;
  const column = columnOf(sorted);
  let query = selectRows(db, entity)
    .orderBy(column)
    .orderBy("id")
    .limit(limit + 1);
  const [from, id] = readCursor(after, 2) ?? [];
  if (from !== undefined && isId(id)) {
    query = query.where(sql<boolean>`(${sql.ref(column)}, id) > (${from}, ${id}::uuid)`);
  }
  if (search) {
    const texts = entity.searched.map((name) => sql`coalesce(${sql.ref(columnOf(name))}, '')`);
    query = query.where(hasWords(sql.join(texts, sql` || ' ' || `), search));
  }
  const found = (await query.execute()) as unknown as Stored[];
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return { rows, next: last ? writeCursor([String(last[sorted]), last.id]) : null };
}
