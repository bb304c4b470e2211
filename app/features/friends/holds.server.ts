import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { changeGame } from "#app/features/games/change-game.server.ts";
import type { LockedGame } from "#app/features/games/games.server.ts";
import { countHoldsOver, isHoldOver, IS_LIVE } from "#app/features/games/held-spots.server.ts";
import { gameChange } from "#app/features/games/shown-game.ts";
import { lockLiveAccount } from "#app/features/wallet/ledger.server.ts";
import type { Facts } from "#app/platform/as-shown.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { freeSpots } from "#app/features/seats/after-join.server.ts";
import { HOLDS_AT_ONCE_MAX, HOLDS_UNTAKEN_MAX, holdTime, holdUntil } from "./rules.ts";
import { holdStatus, isUntaken, lapseHolds } from "#app/features/seats/hold-ends.server.ts";
import { belongsToWaitlist } from "#app/features/waitlist/order.server.ts";

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

type HoldResult = { ok: true } | { ok: false; reason: HoldError; newFacts?: string };

/** A spot for a friend, under the locks of the game and, as the limit is over all games, of the
 * player's wallet. Errors are checked in the order of HoldError. */
export function holdSpot(db: Db, jobs: Jobs, hold: Hold): Promise<HoldResult> {
  const { gameId, playerId, formKey: id, shown, now } = hold;
  return changeGame<HoldResult>(db, { gameId, jobs }, async (tx, game) => {
    if (!(await lockLiveAccount(tx, playerId))) return "not-in";
    const player = await findPlayerFacts(tx, hold);
    if (player.isRepeat) return { ok: true };
    const until = holdUntil(game, now);
    const reason = holdError(game, player, until) ?? (await spotError(tx, game, player, hold));
    if (reason) return reason;
    const time = holdTime(until!, now);
    const more = { hold: [time, `A spot is now held ${time}.`] as [string, string] };
    const change = gameChange(shown, game, now, more);
    if (change) return change;
    const lapsed = player.holdsOver > 0 ? await lapseHolds(tx, hold) : 0;
    // Money has come for one that was over when it was counted.
    if (freeSpots(game) + lapsed === 0) return "full";
    const row = { id, game_id: gameId, user_id: playerId, expires_at: until!, created_at: now };
    const stored = await tx
      .insertInto("friend_holds")
      .values({ ...row, token: newToken() })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (!stored) return "form-used";
    return { ok: true, promote: player.holdsOver > 0 ? [gameId] : [] };
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

type GiveBackResult = { ok: true } | { ok: false; reason: "not-found" | "not-held" };

export function giveBackHold(
  db: Db,
  jobs: Jobs,
  { gameId, playerId, shown, now }: Omit<Hold, "formKey">,
): Promise<GiveBackResult> {
  return changeGame<GiveBackResult>(db, { gameId, jobs }, async (tx) => {
    const ended = await tx
      .updateTable("friend_holds")
      .set({ status: "GivenBack", ended_at: now })
      .where("game_id", "=", gameId)
      .where("user_id", "=", playerId)
      .where("status", "=", "Held")
      .$if(shown?.["link"] !== undefined, (holds) => holds.where("token", "=", shown!["link"]!))
      .returning("id")
      .executeTakeFirst();
    return ended ? { ok: true, promote: [gameId] } : "not-held";
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

/** Deletes who came with whom, which matters on the day of the game alone. */
export async function purgeHolds(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  await sql`
    delete from friend_holds hold using games
    where games.id = hold.game_id and games.ends_at < ${before} and hold.status <> 'Held'`.execute(
    db,
  );
}
