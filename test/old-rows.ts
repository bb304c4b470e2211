import type pg from "pg";
import type { Db } from "#app/platform/db.server.ts";
import { aGame, aPlayer, hoursLater } from "./fixtures.ts";

interface OldHold {
  startsIn?: number;
  /** Over since then. */
  ended_at?: Date;
}

/** A spot held by a player who is not in the game any more; the game's id. */
export async function anOldHold(db: Db, { startsIn = 48, ended_at }: OldHold = {}) {
  const ids = { user_id: await aPlayer(db), game_id: await aGame(db, { startsIn }) };
  const state = ended_at ? ({ status: "Lapsed", ended_at } as const) : {};
  const hold = { ...ids, token: crypto.randomUUID(), expires_at: hoursLater(1), ...state };
  await db.insertInto("friend_holds").values(hold).execute();
  return ids.game_id;
}

/** Paid and not booked yet, or left unpaid. Tells whether it is still there and open. */
export async function anOldPaymentHold(db: Db, { startsIn = 48, isPaid = false }) {
  const ids = { user_id: await aPlayer(db), game_id: await aGame(db, { startsIn }) };
  const at = hoursLater(startsIn - 48);
  const paid = { paid_at: at, session_id: crypto.randomUUID() };
  const state = isPaid ? paid : ({ status: "Lapsed", ended_at: at } as const);
  const hold = { ...ids, holds_spot: isPaid, shown: "{}", expires_at: at, created_at: at };
  const rows = db.insertInto("payment_holds").values({ ...hold, ...state });
  const { id } = await rows.returning("id").executeTakeFirstOrThrow();
  const open = db.selectFrom("payment_holds").select("id").where("id", "=", id);
  const found = open.where("status", "in", ["Held", "Lapsed"]);
  return async () => (await found.execute()).length > 0;
}

export async function anOldCancellation(db: Db, created_at: Date): Promise<string> {
  const row = { id: crypto.randomUUID(), cancelled_by: await aPlayer(db), created_at };
  await db.insertInto("bulk_cancellations").values(row).execute();
  return row.id;
}

/** To one player, whom it has not been sent to. Tells whether it is still to be queued. */
export async function anUnsentAnnouncement(
  db: Db,
  row: { created_at: Date; stopped_at?: Date },
): Promise<() => Promise<boolean>> {
  const announcement_id = await anAnnouncement(db, row);
  const recipient = { announcement_id, user_id: await aPlayer(db) };
  await db.insertInto("announcement_recipients").values(recipient).execute();
  const waiting = db
    .selectFrom("announcement_recipients")
    .select("id")
    .where("announcement_id", "=", announcement_id)
    .where("queued_at", "is", null);
  return async () => (await waiting.execute()).length > 0;
}

export async function anAnnouncement(db: Db, row: { created_at: Date; stopped_at?: Date }) {
  const [id, created_by] = [crypto.randomUUID(), await aPlayer(db)];
  const text = { kind: "news", audience: "everybody", subject: "News", message: "Hi" } as const;
  await db
    .insertInto("announcements")
    .values({ id, ...text, recipients: 1, created_by, ...row })
    .execute();
  return id;
}

/** A legal text whose day has come. Tells whether it is still to take its place. */
export async function anOldComingText(db: Db): Promise<() => Promise<boolean>> {
  const text = { page_type: "privacy", title: "Privacy", content: crypto.randomUUID() } as const;
  await db
    .insertInto("legal_pages")
    .values(text)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db
    .insertInto("coming_legal_pages")
    .values({ ...text, holds_from: "2026-01-01", saved_at: hoursLater(-1) })
    .execute();
  const coming = db.selectFrom("coming_legal_pages").select("page_type");
  return async () => (await coming.execute()).length > 0;
}

export async function aSentNotification(db: Db, sent_at: Date): Promise<() => Promise<boolean>> {
  const user_id = await aPlayer(db);
  const values = { user_id, kind: "soon", subject: "a game", sent_at };
  await db.insertInto("notifications_sent").values(values).execute();
  const sent = db.selectFrom("notifications_sent").select("subject").where("user_id", "=", user_id);
  return async () => (await sent.execute()).length > 0;
}

/** Whose refunds are still to be made. Tells whether they are. */
export async function anUnfinishedCancellation(db: Db, created_at: Date) {
  const cancellation_id = await anOldCancellation(db, created_at);
  const game = { cancellation_id, game_id: await aGame(db, { status: "Cancelled" }) };
  await db.insertInto("bulk_cancellation_games").values(game).execute();
  const games = db.selectFrom("bulk_cancellation_games").select("game_id");
  const unfinished = games
    .where("cancellation_id", "=", cancellation_id)
    .where("finished_at", "is", null);
  return async () => (await unfinished.execute()).length > 0;
}

/** A job as an earlier version queued it: each kind of email had a queue of its own. Tells whether it
 * is still there. */
export async function aFormerJob(pool: pg.Pool, queue: string, data: object) {
  await pool.query("select pgboss.create_queue($1, $2)", [queue, { policy: "standard" }]);
  const job = "insert into pgboss.job (name, data, dead_letter) values ($1, $2, 'failed-mails')";
  await pool.query(job, [queue, data]);
  const left = "select from pgboss.job where name = $1";
  return async () => (await pool.query(left, [queue])).rowCount! > 0;
}
