import { formActions } from "#app/forms/form-action.server.ts";
import { TRY_AGAIN } from "#app/forms/messages.ts";
import { changeRow, moveRow } from "#app/platform/entity-writes.server.ts";
import type { Entity, Identified } from "#app/platform/entity.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { CookieEnv } from "#app/platform/signed-cookie.server.ts";
import { idName, pathOf } from "./noun.ts";
import { adminRow } from "#app/routes/admin/admin-action.server.ts";
import { redirectGone } from "./rows.server.ts";

type OrderedEntity = Entity<
  Record<string, unknown> & { sortOrder: number },
  Record<string, unknown> & Identified & { sortOrder: number; isActive: boolean }
>;

/** The forms of an `OrderedList`, each for one row: `up`, `down`, and `switch` with `isActive`. */
export function orderActions(
  entity: OrderedEntity,
  { failed, done }: { failed: string; done: { title: string } },
) {
  const [path, idField] = [pathOf(entity.noun), idName(entity.noun)];
  const gone = (
    _: unknown,
    { env, fields }: { env: CookieEnv; fields: Record<string, string> },
  ) => {
    if (!isId(fields[idField])) return ["incomplete", TRY_AGAIN] as const;
    return redirectGone(env, path, failed);
  };
  const move = (direction: "up" | "down") =>
    adminRow({
      ...{ failed, isRepeatUnsafe: true },
      run: ({ db, actor, fields: { [idField]: id = "" } }) =>
        moveRow(db, entity, { id, direction, actor }),
      ...{ errors: { gone }, done },
    });
  return formActions({
    switch: adminRow({
      failed,
      run: ({ db, actor, fields: { [idField]: id = "", isActive } }) => {
        const values = { isActive: isActive === "true" };
        return changeRow(db, entity, { id, actor, action: `${entity.noun}.switch`, values });
      },
      ...{ errors: { gone }, done },
    }),
    up: move("up"),
    down: move("down"),
  });
}
