import { randomUUID } from "node:crypto";
import { recordDeed } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { lockGame } from "#app/features/games/games.server.ts";
import { spotsLeft } from "#app/features/games/rules.ts";
import { takesPlace } from "./sheet-rules.ts";

interface Addition {
  gameId: string;
  playerId: string;
  actorId: string;
  /** Of the form, and then of the booking: a form that arrives twice is answered as at first. */
  formKey?: string | undefined;
  now: Date;
}

export type AddAnswer =
  | { ok: true; bookingId: string }
  | {
      ok: false;
      reason:
        | "not-found"
        | "not-on"
        | "no-player"
        | "suspended"
        | "already-in"
        | "added-before"
        | "full";
    };

/**
 * Gives a player a seat that is paid for otherwise: the booking is Unpaid at a price of 0 credits,
 * so that nothing is ever given back that was not taken. After kick-off too, for who just came
 * along. The deed is recorded and the player told, all in one transaction.
 */
export async function addPlayer(db: Db, jobs: Jobs, addition: Addition): Promise<AddAnswer> {
  const { gameId, playerId, actorId } = addition;
  if (!isId(gameId)) return { ok: false, reason: "not-found" };
  if (!isId(playerId)) return { ok: false, reason: "no-player" };
  return db.transaction().execute(async (tx) => {
    const game = await lockGame(tx, gameId);
    if (!game) return { ok: false, reason: "not-found" };
    const { bookingId, isAdded } = await chooseId(tx, addition);
    if (isAdded) return { ok: true, bookingId };
    if (!takesPlace(game)) return { ok: false, reason: "not-on" };
    const reason = await refusePlayer(tx, addition);
    if (reason) return { ok: false, reason };
    if (spotsLeft(game.maxPlayers, game.joinedCount) === 0) return { ok: false, reason: "full" };
    if (isAdded === false) return { ok: false, reason: "added-before" };
    await takeSeat(tx, bookingId, addition);
    const details = { gameId, playerId, before: null, after: { paymentStatus: "Unpaid" } };
    await recordDeed(tx, { actor: actorId, action: "booking.add", subject: bookingId, details });
    await jobs.enqueue(tx, "mail.added-to-game", { bookingId });
    return { ok: true, bookingId };
  });
}

/**
 * The form's key is the booking's id, unless a form that was gone back to has added somebody else
 * by it. `isAdded` tells whether it has added this player before: false where they have left since.
 */
async function chooseId(tx: Tx, { gameId, playerId, formKey = randomUUID() }: Addition) {
  const used = await tx
    .selectFrom("bookings")
    .select(["user_id", "game_id", "payment_status"])
    .where("id", "=", formKey)
    .executeTakeFirst();
  if (!used) return { bookingId: formKey };
  if (used.user_id !== playerId || used.game_id !== gameId) return { bookingId: randomUUID() };
  const isAdded = used.payment_status === "Paid" || used.payment_status === "Unpaid";
  return { bookingId: formKey, isAdded };
}

type Refusal = "no-player" | "suspended" | "already-in";

/** Locks the profile, as the wallet is locked: a deletion of the account that is under way is waited for. */
async function refusePlayer(tx: Tx, { gameId, playerId }: Addition): Promise<Refusal | null> {
  const player = await tx
    .selectFrom("profiles")
    .select("user_id")
    .where("user_id", "=", playerId)
    .where("deleted_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
  if (!player) return "no-player";
  const account = tx.selectFrom("users").select("suspended_at").where("id", "=", playerId);
  if ((await account.executeTakeFirstOrThrow()).suspended_at) return "suspended";
  const seat = tx
    .selectFrom("bookings")
    .select("id")
    .where("game_id", "=", gameId)
    .where("user_id", "=", playerId)
    .where("payment_status", "in", ["Paid", "Unpaid"]);
  return (await seat.executeTakeFirst()) ? "already-in" : null;
}

async function takeSeat(tx: Tx, bookingId: string, { gameId, playerId, now }: Addition) {
  await tx
    .insertInto("bookings")
    .values({
      id: bookingId,
      user_id: playerId,
      game_id: gameId,
      payment_status: "Unpaid",
      price_eur: "0.00",
      refund_fee_eur: "0.00",
      created_at: now,
    })
    .execute();
}
