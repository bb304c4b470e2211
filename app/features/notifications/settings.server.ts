import { sql } from "kysely";
import { type Db, insertRows, type Tx } from "#app/platform/db.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import { isId } from "#app/platform/ids.ts";
import { open, seal } from "#app/platform/secrets.server.ts";

export type Settings = Record<string, { email: boolean; push: boolean }>;

/** Counts what a player has not chosen as on. */
export async function findSettings(
  db: Db,
  userId: string,
  kinds: readonly { kind: string }[],
): Promise<Settings> {
  const rows = await db
    .selectFrom("notification_settings")
    .select(["kind", "email", "push"])
    .where("user_id", "=", userId)
    .execute();
  const stored = new Map(rows.map(({ kind, email, push }) => [kind, { email, push }]));
  const entries = kinds.map(({ kind }) => [kind, stored.get(kind) ?? { email: true, push: true }]);
  return Object.fromEntries(entries) as Settings;
}

export async function saveSettings(
  db: Db,
  userId: string,
  settings: Record<string, { email: boolean; push?: boolean }>,
): Promise<void> {
  const rows = Object.entries(settings).map(([kind, choice]) => ({
    ...{ user_id: userId, kind },
    ...choice,
  }));
  await insertRows(db, "notification_settings", rows)
    .onConflict((conflict) =>
      conflict.columns(["user_id", "kind"]).doUpdateSet((eb) => ({
        email: eb.ref("excluded.email"),
        ...(rows.some(({ push }) => push !== undefined) && { push: eb.ref("excluded.push") }),
      })),
    )
    .execute();
}

interface EmailSwitch {
  userId: string;
  kind: string;
}

export async function findEmailSwitch(db: Db, { userId, kind }: EmailSwitch) {
  const row = await db
    .selectFrom("profiles")
    .leftJoin("notification_settings as setting", (join) =>
      join.onRef("setting.user_id", "=", "profiles.user_id").on("kind", "=", kind),
    )
    .select(sql<boolean>`coalesce(setting.email, true)`.as("isOn"))
    .where("profiles.user_id", "=", userId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return row ?? null;
}

/** Writes nothing for a deleted account. */
export async function switchEmail(db: Db, { userId, kind }: EmailSwitch, isOn: boolean) {
  await sql`
    insert into notification_settings (user_id, kind, email)
    select user_id, ${kind}, ${isOn} from profiles
    where user_id = ${userId} and deleted_at is null
    on conflict (user_id, kind) do update set email = excluded.email`.execute(db);
}

type Site = Pick<Env, "appUrl" | "contactEmail" | "sessionSecret">;

/** One click in the mail program (RFC 8058), or an email to us. */
export function unsubscribeLink({ appUrl, contactEmail, sessionSecret }: Site, of: EmailSwitch) {
  const url = `${appUrl}/unsubscribe/${unsubscribeToken(sessionSecret, of)}`;
  const headers = {
    "List-Unsubscribe": `<${url}>, <mailto:${contactEmail}?subject=Unsubscribe>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
  return { url, headers };
}

const LABEL = "unsubscribe";

/** Opens nothing but this switch of this player; there is no row for it. */
export const unsubscribeToken = (secret: string, { userId, kind }: EmailSwitch) =>
  seal(secret, LABEL, `${userId} ${kind}`);

export function readUnsubscribeToken(secret: string, token: string): EmailSwitch | null {
  const [userId, kind = ""] = open(secret, LABEL, token)?.split(" ") ?? [];
  return isId(userId) && kind ? { userId, kind } : null;
}

/** Deletes them with the account; its devices go with its sessions. */
export async function deleteNotifications(tx: Tx, userId: string): Promise<void> {
  for (const table of ["notification_settings", "notifications_sent"] as const) {
    await tx.deleteFrom(table).where("user_id", "=", userId).execute();
  }
}
