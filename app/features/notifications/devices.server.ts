import { ECDH } from "node:crypto";
import { sql } from "kysely";
import { z } from "zod";
import { isSessionLive } from "#app/features/accounts/sessions.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { DEVICES_MAX, isPushService } from "./rules.ts";

// The key must be a point of the curve, or every message would fail.
const key = (isRight: (bytes: Buffer) => boolean) =>
  z
    .base64url()
    .max(200)
    .refine((text) => isRight(Buffer.from(text, "base64url")));
const subscription = z.object({
  endpoint: z.string().max(1_000),
  keys: z.object({ p256dh: key(isPoint), auth: key((bytes) => bytes.length === 16) }),
});

type Subscription = z.infer<typeof subscription>;

export function readSubscription(text: string) {
  const { data } = subscription.safeParse(parseJson(text));
  if (!data) return { ok: false, reason: "unreadable" } as const;
  if (!isPushService(data.endpoint)) return { ok: false, reason: "unknown-service" } as const;
  // Normalised, without what a parser drops or escapes.
  const endpoint = new URL(data.endpoint).href;
  return { ok: true, subscription: { ...data, endpoint } } as const;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isPoint(bytes: Buffer): boolean {
  if (bytes.length !== 65) return false;
  try {
    ECDH.convertKey(bytes, "prime256v1");
    return true;
  } catch {
    return false;
  }
}

/** One device for a session, one session for a device. A device that changes hands gets a new id,
 * so that it shows nothing meant for the player before. */
export async function addDevice(
  db: Db,
  { userId, sessionId }: { userId: string; sessionId: string },
  { endpoint, keys }: Subscription,
  now: Date,
): Promise<void> {
  const device = { user_id: userId, session_id: sessionId, endpoint, ...keys };
  await db.transaction().execute(async (tx) => {
    await tx
      .deleteFrom("push_subscriptions")
      .where((eb) => eb.or([eb("endpoint", "=", endpoint), eb("session_id", "=", sessionId)]))
      .execute();
    await tx
      .insertInto("push_subscriptions")
      .values({ ...device, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await sql`delete from push_subscriptions where id in (
      select id from push_subscriptions where user_id = ${userId}
      order by created_at desc, id offset ${DEVICES_MAX})`.execute(tx);
  });
}

export async function removeDevice(db: Db, sessionId: string): Promise<void> {
  await db.deleteFrom("push_subscriptions").where("session_id", "=", sessionId).execute();
}

export async function hasDevice(db: Db, sessionId: string): Promise<boolean> {
  const devices = db.selectFrom("push_subscriptions").select("id");
  return (await devices.where("session_id", "=", sessionId).executeTakeFirst()) !== undefined;
}

/** Null where the session is over, or its player does not want this kind. */
export async function findDevice(db: Db, id: string, kind: string, now: Date) {
  const row = await db
    .selectFrom("push_subscriptions as device")
    .innerJoin("sessions", "sessions.id", "device.session_id")
    .innerJoin("users", "users.id", "device.user_id")
    .leftJoin("notification_settings as setting", (join) =>
      join.onRef("setting.user_id", "=", "device.user_id").on("kind", "=", kind),
    )
    .select(["device.user_id as userId", "endpoint", "p256dh", "auth"])
    .where("device.id", "=", id)
    .where(isSessionLive(now))
    .where("users.suspended_at", "is", null)
    .where(sql<boolean>`coalesce(setting.push, true)`)
    .executeTakeFirst();
  return row ?? null;
}

/** For when the push service says that the browser wants nothing any more. */
export async function deleteDevice(db: Db, id: string): Promise<void> {
  await db.deleteFrom("push_subscriptions").where("id", "=", id).execute();
}
