import { randomUUID } from "node:crypto";
import type { Difference } from "#app/forms/form-result.ts";
import type { Db } from "#app/platform/db.server.ts";
import {
  type Entity,
  type FieldInput,
  findRow,
  type Identified,
} from "#app/platform/entity.server.ts";
import type { EntityNoun } from "#app/platform/schema.ts";
import { idName } from "./noun.ts";

/** What a form of a small table needs of its declaration. */
export type Fields = Record<string, FieldInput & { initial?: string; schema?: unknown }>;

/** A form as data: of a stored row with its version, else with the id that a new row gets. */
export interface FormView {
  fields: (FieldInput & { name: string })[];
  values: Record<string, string>;
  version?: number;
  once?: Record<string, string>;
}

export function newForm(noun: EntityNoun, fields: Fields) {
  const values = mapFields(fields, (_, { initial = "" }) => initial);
  return { fields: toInputs(fields), values, once: { [idName(noun)]: randomUUID() } };
}

export function editForm(fields: Fields, row: object & { version: number }) {
  return { fields: toInputs(fields), values: textsOf(fields, row), version: row.version };
}

/** The page of a row, or of a new one where the address names none; null where there is no row. */
export async function loadEditor<Input extends object, Stored extends Input & Identified, View>(
  db: Db,
  entity: Entity<Input, Stored>,
  { id, toView }: { id: string | undefined; toView: (row: Stored) => View },
) {
  if (id === undefined) return { row: null, form: newForm(entity.noun, entity.fields) as FormView };
  const row = await findRow(db, entity, id);
  return row && { row: toView(row), form: editForm(entity.fields, row) as FormView };
}

/** The fields in which the form differs from the row that somebody else has saved. */
export function differencesOf(fields: Fields, stored: object, typed: object): Difference[] {
  const [theirs, yours] = [textsOf(fields, stored), textsOf(fields, typed)];
  return Object.entries(fields).flatMap(([name, { label, isTick }]) => {
    if (theirs[name] === yours[name]) return [];
    const read = (text = "") => (isTick ? (text ? "yes" : "no") : text);
    return [{ label, theirs: read(theirs[name]), yours: read(yours[name]) }];
  });
}

function textsOf(fields: Fields, row: object) {
  const values = row as Record<string, unknown>;
  return mapFields(fields, (name, { isTick }) =>
    isTick ? (values[name] ? "1" : "") : String(values[name] ?? ""),
  );
}

// A schema stays on the server.
const toInputs = (fields: Fields): FormView["fields"] =>
  Object.entries(fields).map(([name, field]) => {
    const { schema: _schema, initial: _initial, ...input } = field;
    return { name, ...input };
  });

const mapFields = (fields: Fields, text: (name: string, field: Fields[string]) => string) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, text(name, field)]));
