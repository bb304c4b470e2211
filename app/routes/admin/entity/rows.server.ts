import type { Answer } from "#app/forms/form-rows.server.ts";
import { TRY_AGAIN } from "#app/forms/messages.ts";
import { redirectWithToast } from "#app/forms/toast.server.ts";
import { createRow, editRow, removeRow } from "#app/platform/entity-writes.server.ts";
import type { Entity, Identified } from "#app/platform/entity.server.ts";
import type { EntityNoun } from "#app/platform/schema.ts";
import type { CookieEnv } from "#app/platform/signed-cookie.server.ts";
import {
  type AdminArgs,
  type adminOf,
  adminRow,
  versionOf,
} from "#app/routes/admin/admin-action.server.ts";
import { differencesOf, type Fields } from "./form-view.server.ts";
import { idName, pathOf, titleOf } from "./noun.ts";

/** `did` is such as "added another venue". */
export const createErrors = (did: string) =>
  ({
    "no-id": ["incomplete", "The form was not complete. Please try again."],
    "form-used": ["conflict", `This form has ${did} before. Send it again for one more.`],
  }) as const;

export function conflictOf(fields: Fields, current: { version: number }, typed: object): Answer {
  const differences = differencesOf(fields, current, typed);
  return ["conflict", { conflict: { version: current.version, differences } }];
}

/** Leads from a page whose row somebody has deleted back to the list. */
export function redirectGone(env: CookieEnv, path: string, title: string): Promise<Response> {
  const description = "It has been deleted meanwhile.";
  return redirectWithToast(env, path, { title, description, tone: "danger" });
}

type AppOf = Pick<ReturnType<typeof adminOf>, "db" | "env" | "actor">;
interface Texts {
  /** The headings of what failed, and what follows each. */
  failed?: Partial<Record<"create" | "save" | "remove", string>>;
  formError?: string;
  created?: { title?: string; description?: string };
  saved?: string;
  removed?: string;
}
interface Rules {
  /** Rows are never deleted: one that is gone never was. */
  isKept?: boolean;
  /** Where a new row leads, below its own page. */
  next?: string;
  /** Where more goes with a row than the table knows. */
  remove?: (of: AppOf & { id: string }) => ReturnType<typeof removeRow>;
}

type AdminAction<Result> = ((args: AdminArgs) => Promise<Result>) & { intents?: string[] };

/** The action of a page that edits a row or, where the address names none, makes one. */
export function entityAction<Edited, Created>(
  { noun }: { noun: EntityNoun },
  edit: AdminAction<Edited>,
  create: AdminAction<Created>,
) {
  const act = (args: AdminArgs): Promise<Edited | Created> =>
    args.params[idName(noun)] === undefined ? create(args) : edit(args);
  return Object.assign(act, { intents: edit.intents });
}

type AnyRow = Record<string, unknown>;

/** The forms of a row's page and of a new one's, with the words that are not the usual ones. */
export function entityRows(
  entity: Entity<AnyRow, AnyRow & Identified>,
  { isKept, next = "", remove, ...words }: Texts & Rules,
) {
  const { noun, fields, input } = entity;
  const { formError = TRY_AGAIN } = words;
  const [list, idField] = [pathOf(noun), idName(noun)];
  const failed = {
    ...{ create: `Failed to add ${noun}`, save: `Failed to save ${noun}` },
    ...{ remove: `Failed to delete ${noun}`, ...words.failed },
  };
  const keep = [...Object.keys(fields), "version"];
  const gone =
    (title: string) =>
    (_: unknown, { env }: { env: CookieEnv }) =>
      isKept ? (["missing", `There is no such ${noun}.`] as const) : redirectGone(env, list, title);
  return {
    create: adminRow({
      ...{ failed: failed.create, formError, keep, input },
      run: ({ db, actor, fields: { [idField]: id = "" }, input }) =>
        createRow(db, entity, { id, input, actor }),
      errors: createErrors(`added another ${noun}`),
      done: (_, { fields: { [idField]: id } }) => ({
        ...{ to: `${list}/${id}${next}`, title: `${titleOf(noun)} added`, ...words.created },
      }),
    }),
    save: adminRow({
      ...{ failed: failed.save, formError, keep, input },
      run: ({ db, actor, params: { [idField]: id = "" }, fields: posted, input }) =>
        editRow(db, entity, { id, version: versionOf(posted), input, actor }),
      errors: {
        gone: gone(failed.save),
        changed: ({ current }, { input }) => conflictOf(fields, current, input),
      },
      done: { title: words.saved ?? `${titleOf(noun)} saved` },
    }),
    remove: adminRow({
      ...{ failed: failed.remove, isRepeatUnsafe: true },
      run: async ({ db, env, actor, params: { [idField]: id = "" } }) =>
        remove ? remove({ db, env, actor, id }) : removeRow(db, entity, { id, actor }),
      errors: { gone: gone(failed.remove) },
      done: { to: list, title: words.removed ?? `${titleOf(noun)} deleted` },
    }),
  };
}
