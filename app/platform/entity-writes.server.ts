import { isDeepStrictEqual } from "node:util";
import type { AuditAction } from "./audit-actions.ts";
import { recordAudit } from "./audit.server.ts";
import type { Db, Tx } from "./db.server.ts";
import {
  anyTable,
  columnOf,
  type Entity,
  type Identified,
  listRows,
  lockRow,
  tableOf,
} from "./entity.server.ts";
import { isId } from "./ids.ts";

export const GONE = { ok: false, reason: "gone" } as const;
const DONE = { ok: true } as const;

/** Each write locks its row, records what differs, and does nothing where nothing does. */
type By = { actor: string };

/** The id comes with the form: "form-used" where it has created another row already. */
export async function createRow<Input extends object, Stored extends Input & Identified>(
  db: Db,
  entity: Entity<Input, Stored>,
  { id, input, actor }: By & { id: string; input: Input },
) {
  if (!isId(id)) return { ok: false, reason: "no-id" } as const;
  return db.transaction().execute(async (tx) => {
    const added = await anyTable(tx)
      .insertInto(tableOf(entity))
      .values({ id, ...columnsOf(input) })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (!added) {
      const existing = await lockRow(tx, entity, id);
      const isSame = existing && isDeepStrictEqual(inputOf(entity, existing), input);
      return isSame ? DONE : ({ ok: false, reason: "form-used" } as const);
    }
    const details = { before: null, after: input };
    await recordAudit(tx, { actor, action: `${entity.noun}.create`, subject: id, details });
    return DONE;
  });
}

/** "changed" where somebody else has saved the row since `version` was read. */
export async function editRow<Input extends object, Stored extends Input & Identified>(
  db: Db,
  entity: Entity<Input, Stored>,
  { id, version, input, actor }: By & { id: string; version: number; input: Input },
) {
  return db.transaction().execute(async (tx) => {
    const current = await lockRow(tx, entity, id);
    if (!current) return GONE;
    const before = inputOf(entity, current);
    if (isDeepStrictEqual(before, input)) return DONE;
    if (current.version !== version) return { ok: false, reason: "changed", current } as const;
    await updateRow(tx, entity, id, input);
    const details = { before, after: input };
    await recordAudit(tx, { actor, action: `${entity.noun}.edit`, subject: id, details });
    return DONE;
  });
}

/** Sets what no form of the row's fields does, whatever its version; `before` is the row before. */
export async function changeRow<Input extends object, Stored extends Input & Identified>(
  db: Db,
  entity: Entity<Input, Stored>,
  change: By & { id: string; action: AuditAction; values: Partial<Stored> },
) {
  const { id, actor, action, values } = change;
  return db.transaction().execute(async (tx) => {
    const row = await lockRow(tx, entity, id);
    if (!row) return GONE;
    const before = pick(row, Object.keys(values));
    if (isDeepStrictEqual(before, values)) return { ok: true, before: row } as const;
    await updateRow(tx, entity, id, values);
    await recordAudit(tx, { actor, action, subject: id, details: { before, after: values } });
    return { ok: true, before: row } as const;
  });
}

export async function removeRow<Input extends object, Stored extends Input & Identified>(
  db: Db,
  entity: Entity<Input, Stored>,
  { id, actor }: By & { id: string },
) {
  return db.transaction().execute(async (tx) => {
    const row = await lockRow(tx, entity, id);
    if (!row) return GONE;
    await anyTable(tx).deleteFrom(tableOf(entity)).where("id", "=", id).execute();
    const { id: _, version: __, ...before } = row;
    const details = { before, after: null };
    await recordAudit(tx, { actor, action: `${entity.noun}.remove`, subject: id, details });
    return { ok: true, before: row } as const;
  });
}

type Ordered = Identified & { sortOrder: number };

/** By one in a list that people order. Rows may share a place, so all are renumbered. */
export async function moveRow<Input extends { sortOrder: number }, Stored extends Input & Ordered>(
  db: Db,
  entity: Entity<Input, Stored>,
  { id, direction, actor }: By & { id: string; direction: "up" | "down" },
) {
  return db.transaction().execute(async (tx) => {
    await anyTable(tx).selectFrom(tableOf(entity)).select("id").orderBy("id").forUpdate().execute();
    const all = await listRows(tx, entity);
    const from = all.findIndex((row) => row.id === id);
    const to = direction === "up" ? from - 1 : from + 1;
    const [moved, neighbour] = [all[from], all[to]];
    if (!moved) return GONE;
    if (!neighbour) return DONE;
    [all[from], all[to]] = [neighbour, moved];
    for (const [index, row] of all.entries()) {
      const sortOrder = index + 1;
      if (row.sortOrder !== sortOrder) await updateRow(tx, entity, row.id, { sortOrder });
    }
    const details = { before: { sortOrder: moved.sortOrder }, after: { sortOrder: to + 1 } };
    await recordAudit(tx, { actor, action: `${entity.noun}.move`, subject: id, details });
    return DONE;
  });
}

function updateRow(tx: Tx, of: Parameters<typeof tableOf>[0], id: string, values: object) {
  const update = anyTable(tx).updateTable(tableOf(of)).set(columnsOf(values));
  return update.where("id", "=", id).execute();
}

const columnsOf = (values: object) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [columnOf(name), value]));

function inputOf<Input extends object, Stored extends Input & Identified>(
  { fields }: Entity<Input, Stored>,
  row: Stored,
): Input {
  return pick(row, Object.keys(fields)) as Input;
}

const pick = (row: object, names: string[]) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)));
