import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { lockGame, type LockedGame } from "#app/features/games/games.server.ts";
import { countHoldsOver, isHoldOver, IS_LIVE } from "#app/features/games/held-spots.server.ts";
import { gameChange } from "#app/features/games/shown-game.ts";
import { lockLiveAccount } from "#app/features/wallet/ledger.server.ts";
import type { Facts } from "#app/platform/as-shown.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { freeSpots, lapseAndPassOn } from "#app/features/seats/after-join.server.ts";
import { HOLDS_AT_ONCE_MAX, HOLDS_UNTAKEN_MAX, holdTime, holdUntil } from "./rules.ts";
import { holdStatus, isUntaken } from "#app/features/seats/hold-ends.server.ts";
import { belongsToWaitlist } from "#app/features/waitlist/order.server.ts";
import { queuePromotion } from "#app/features/seats/seats.server.ts";

interface Hold {
  gameId: string;
  playerId: string;
  formKey: string;
  shown?: Facts;
  now: Date;
}

type HoldError =
  | "not-found"
  | "suspended"
  | "not-published"
  | "not-in"
  | "held-already"
  | "too-many"
  | "too-many-games"
  | "too-late"
  | "full"
  | "somebody-waits"
  | "changed"
  | "form-used";

type HoldResult = { ok: true } | { ok: false; reason: HoldError; news?: string };

/** A spot for a friend, under the locks of the game and, as the limit is over all games, of the
 * player's wallet. Errors are checked in the order of HoldError. */
export async function holdSpot(db: Db, jobs: Jobs, hold: Hold): Promise<HoldResult> {
  if (!isId(hold.gameId)) return { ok: false, reason: "not-found" };
  return db.transaction().execute(async (tx) => {
    const game = await lockGame(tx, hold.gameId);
    if (!game) return { ok: false, reason: "not-found" };
    if (!(await lockLiveAccount(tx, hold.playerId))) return { ok: false, reason: "not-in" };
    const player = await findPlayerFacts(tx, hold);
    if (player.isRepeat) return { ok: true };
    const until = holdUntil(game, hold.now);
    const reason = holdError(game, player, until) ?? (await spotError(tx, game, player, hold));
    if (reason) return { ok: false, reason };
    const time = holdTime(until!, hold.now);
    const more = { hold: [time, `A spot is now held ${time}.`] as [string, string] };
    const change = gameChange(hold.shown, game, hold.now, more);
    if (change) return change;
    const { gameId: game_id, playerId: user_id, now: created_at, formKey: id } = hold;
    if (player.holdsOver > 0) await lapseAndPassOn(tx, jobs, hold);
    const stored = await tx
      .insertInto("friend_holds")
      .values({ id, game_id, user_id, token: newToken(), expires_at: until!, created_at })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .returning("id")
      .executeTakeFirst();
    return stored ? { ok: true } : { ok: false, reason: "form-used" };
  });
}

const newToken = () => randomBytes(16).toString("base64url");

interface PlayerFacts {
  isIn: boolean;
  isSuspended: boolean;
  hasHold: boolean;
  untaken: number;
  inOtherGames: number;
  holdsOver: number;
  isRepeat: boolean;
  isFormUsed: boolean;
}

async function findPlayerFacts(
  tx: Tx,
  { gameId, playerId, formKey, now }: Hold,
): Promise<PlayerFacts> {
  const { rows } = await sql<PlayerFacts>`
    select exists (select from bookings where game_id = ${gameId} and user_id = ${playerId}
        and ${IS_LIVE}) as "isIn",
      exists (select from users where id = ${playerId} and suspended_at is not null) as "isSuspended",
      coalesce(bool_or(${holdStatus(now)} = 'Held'), false) as "hasHold",
      (count(*) filter (where ${isUntaken(now)}))::integer as untaken,
      coalesce(bool_or(hold.id = ${formKey}), false) as "isRepeat",
      exists (select from friend_holds where id = ${formKey}) as "isFormUsed",
      ${countHoldsElsewhere(gameId, playerId, now)} as "inOtherGames",
      ${countHoldsOver(gameId, now)} as "holdsOver"
    from friend_holds hold
    join games on games.id = hold.game_id join users on users.id = hold.user_id
    where hold.game_id = ${gameId} and hold.user_id = ${playerId}`.execute(tx);
  return rows[0]!;
}

const countHoldsElsewhere = (gameId: string, playerId: string, now: Date) => sql<number>`(
  select count(*)::integer from friend_holds hold
  join games on games.id = hold.game_id join users on users.id = hold.user_id
  where hold.user_id = ${playerId} and hold.game_id <> ${gameId}
    and hold.status = 'Held' and not ${isHoldOver(now)})`;

function holdError(game: LockedGame, player: PlayerFacts, until: Date | null): HoldError | null {
  if (player.isSuspended) return "suspended";
  if (game.status !== "Published") return "not-published";
  if (!player.isIn) return "not-in";
  if (player.hasHold) return "held-already";
  if (player.untaken >= HOLDS_UNTAKEN_MAX) return "too-many";
  if (player.inOtherGames >= HOLDS_AT_ONCE_MAX) return "too-many-games";
  return until ? null : "too-late";
}

async function spotError(
  tx: Tx,
  game: LockedGame,
  { holdsOver, isFormUsed }: PlayerFacts,
  { playerId, now }: Hold,
): Promise<HoldError | null> {
  if (freeSpots(game) + holdsOver === 0) return "full";
  if (await belongsToWaitlist(tx, game, playerId, now)) return "somebody-waits";
  return isFormUsed ? "form-used" : null;
}

export async function giveBackHold(
  db: Db,
  jobs: Jobs,
  { gameId, playerId, shown, now }: Omit<Hold, "formKey">,
): Promise<{ ok: true } | { ok: false; reason: "not-found" | "not-held" }> {
  if (!isId(gameId)) return { ok: false, reason: "not-found" };
  return db.transaction().execute(async (tx) => {
    if (!(await lockGame(tx, gameId))) return { ok: false, reason: "not-found" };
    const ended = await tx
      .updateTable("friend_holds")
      .set({ status: "GivenBack", ended_at: now })
      .where("game_id", "=", gameId)
      .where("user_id", "=", playerId)
      .where("status", "=", "Held")
      .$if(shown?.["link"] !== undefined, (holds) => holds.where("token", "=", shown!["link"]!))
      .returning("id")
      .executeTakeFirst();
    if (!ended) return { ok: false, reason: "not-held" };
    await queuePromotion(tx, jobs, gameId);
    return { ok: true };
  });
}

interface TakenHold {
  id: string;
  bookingId: string;
  now: Date;
}

/** Before the friend is booked: the database counts spots that are taken and held together. */
export async function takeHold(tx: Tx, { id, bookingId, now }: TakenHold): Promise<void> {
  await tx
    .updateTable("friend_holds")
    .set({ status: "Taken", booking_id: bookingId, ended_at: now })
    .where("id", "=", id)
    .execute();
}

const KEPT_DAYS = 30;

/** Who came with whom matters on the day of the game alone. */
export async function purgeHolds(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  await sql`
    delete from friend_holds hold using games
    where games.id = hold.game_id and games.ends_at < ${before} and hold.status <> 'Held'`.execute(
    db,
  );
}
