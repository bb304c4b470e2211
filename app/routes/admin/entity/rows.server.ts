import type { ActionArgs, Posted } from "#app/forms/form-action.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import { type Answer, formRows } from "#app/forms/form-rows.server.ts";
import { TRY_AGAIN } from "#app/forms/messages.ts";
import { redirectWithToast } from "#app/forms/toast.server.ts";
import { createRow, editRow, removeRow } from "#app/platform/entity-writes.server.ts";
import type { Entity, Identified } from "#app/platform/entity.server.ts";
import type { EntityNoun } from "#app/platform/schema.ts";
import type { CookieEnv } from "#app/platform/signed-cookie.server.ts";
import { adminOf, versionOf } from "#app/routes/admin/admin-action.server.ts";
import { differencesOf, idName, pathOf, type Fields } from "./form-view.server.ts";

type Params = Record<string, string | undefined>;
type AdminArgs = ActionArgs & Posted & { params: Params };

/** Forms of an admin page about what its address names. */
export const adminRows = <R extends FormResult = FormResult>() =>
  formRows<AdminArgs, ReturnType<typeof adminOf>, R>(adminOf);

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

/** Of a page whose row somebody has deleted: back to the list. */
export function redirectGone(env: CookieEnv, path: string, title: string): Promise<Response> {
  const description = "It has been deleted meanwhile.";
  return redirectWithToast(env, path, { title, description, tone: "danger" });
}

type AppOf = Pick<ReturnType<typeof adminOf>, "db" | "env" | "actor">;
type Toast = { title: string; description?: string };
interface Texts {
  /** The headings of what failed. */
  failed: Record<"create" | "save", string> & { remove?: string };
  formError?: string;
  /** What was done; a new row's page may be another. */
  created: Toast & { page?: string };
  saved: Toast;
  removed?: Toast;
  /** What a used form has done, such as "added another partner". */
  did: string;
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

/** The forms of a row's page and of a new one's. Rows that can be deleted may be gone. */
export function entityRows(entity: Entity<AnyRow, AnyRow & Identified>, texts: Texts) {
  const { noun, fields, input } = entity;
  const { failed, created, saved, removed, did, formError = TRY_AGAIN } = texts;
  const [list, idField] = [pathOf(noun), idName(noun)];
  const keep = [...Object.keys(fields), "version"];
  const row = adminRows();
  const gone =
    (title: string) =>
    (_: unknown, { env }: { env: CookieEnv }) =>
      removed
        ? redirectGone(env, list, title)
        : (["missing", `There is no such ${noun}.`] as const);
  return {
    create: row({
      ...{ failed: failed.create, formError, keep, input },
      run: ({ db, actor, fields: { [idField]: id = "" }, input }) =>
        createRow(db, entity, { id, input, actor }),
      errors: createErrors(did),
      done: (_, { fields: { [idField]: id } }) => {
        const { page = "", ...toast } = created;
        return { to: `${list}/${id}${page}`, ...toast };
      },
    }),
    save: row({
      ...{ failed: failed.save, formError, keep, input },
      run: ({ db, actor, params: { [idField]: id = "" }, fields: posted, input }) =>
        editRow(db, entity, { id, version: versionOf(posted), input, actor }),
      errors: {
        gone: gone(failed.save),
        changed: ({ current }, { input }) => conflictOf(fields, current, input),
      },
      done: saved,
    }),
    remove: row({
      ...{ failed: failed.remove ?? "", isRepeatUnsafe: true },
      run: async ({ db, env, actor, params: { [idField]: id = "" } }) =>
        texts.remove ? texts.remove({ db, env, actor, id }) : removeRow(db, entity, { id, actor }),
      errors: { gone: gone(failed.remove ?? "") },
      done: { to: list, ...removed },
    }),
  };
}
