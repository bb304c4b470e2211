import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import pg from "pg";
import { type Db, inCents, type Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { lockGame } from "#app/features/games/games.server.ts";
import { GAME_PRICE_CENTS, hasStarted, priceCents, spotsLeft } from "#app/features/games/rules.ts";
import { debit, lockLiveAccount, type Wallet } from "#app/features/wallet/ledger.server.ts";
import { freeSessionIsUsed } from "./bookings.server.ts";
import { soldColumns } from "./rules.ts";

type JoinError =
  | "not-found"
  | "suspended"
  | "not-published"
  | "already-joined"
  | "started"
  | "full"
  | "form-used"
  | "price-changed"
  | "not-enough-credits"
  | "account-gone";

export type JoinResult =
  | { ok: true; bookingId: string; priceCents: number }
  /** `wallet` is set where credits are missing. */
  | { ok: false; reason: JoinError; priceCents?: number; wallet?: Wallet };

interface Join {
  gameId: string;
  playerId: string;
  now: Date;
  /** The price on the player's screen; the join fails where it has changed since. */
  priceShownCents?: number;
  /** Becomes the booking's id: a form that is sent twice gets the first result again. */
  formKey?: string | undefined;
}

/** Under the game's lock. Errors are checked in the order of JoinError and write nothing. */
export async function joinGame(db: Db, jobs: Jobs, join: Join): Promise<JoinResult> {
  if (!isId(join.gameId)) return { ok: false, reason: "not-found" };
  const joined = db.transaction().execute(async (tx): Promise<JoinResult> => {
    const game = await lockGame(tx, join.gameId);
    if (!game) return { ok: false, reason: "not-found" };
    const player = await findPlayerFacts(tx, join);
    const { joinedForCents, wallet } = player;
    if (joinedForCents !== null) {
      return { ok: true, bookingId: join.formKey!, priceCents: joinedForCents };
    }
    const reason = joinError(game, player, join.now);
    if (reason) return { ok: false, reason };
    const price = priceCents(game, player);
    if ((join.priceShownCents ?? price) !== price) {
      return { ok: false, reason: "price-changed", priceCents: price };
    }
    // A debt blocks free games as well, which debit no wallet.
    if (wallet.debtCents > 0)
      return { ok: false, reason: "not-enough-credits", priceCents: price, wallet };
    return takeSeat(tx, jobs, join, price);
  });
  return joined.catch((error) => {
    if (isKeyTaken(error)) return { ok: false, reason: "form-used" };
    throw error;
  });
}

/** The form was sent to several games at once: no lock of this game's holds the others back. */
const isKeyTaken = (error: unknown) =>
  error instanceof pg.DatabaseError &&
  /^(bookings_pkey|wallet_transactions_business_key_key)$/.test(error.constraint ?? "");

interface PlayerFacts {
  isIn: boolean;
  hasUsedFreeSession: boolean;
  isSuspended: boolean;
  /** Null where this form has not booked this seat. */
  joinedForCents: number | null;
  isFormUsed: boolean;
}

async function findPlayerFacts(tx: Tx, { gameId, playerId, formKey }: Join) {
  const { rows } = await sql<Wallet & PlayerFacts>`
    select ${inCents("wallet_balance_eur")} as "balanceCents",
      ${inCents("wallet_debt_eur")} as "debtCents",
      exists (select from bookings where game_id = ${gameId} and user_id = ${playerId}
        and payment_status in ('Paid', 'Unpaid')) as "isIn",
      (select ${inCents("price_eur")} from bookings where id = ${formKey ?? null}
        and game_id = ${gameId} and user_id = ${playerId} and payment_status = 'Paid')
        as "joinedForCents",
      exists (select from bookings where id = ${formKey ?? null}) as "isFormUsed",
      ${freeSessionIsUsed(playerId)} as "hasUsedFreeSession",
      exists (select from users where id = ${playerId} and suspended_at is not null) as "isSuspended"
    from profiles where user_id = ${playerId}`.execute(tx);
  const { balanceCents, debtCents, ...facts } = rows[0]!;
  return { ...facts, wallet: { balanceCents, debtCents } };
}

function joinError(
  game: NonNullable<Awaited<ReturnType<typeof lockGame>>>,
  player: Pick<PlayerFacts, "isIn" | "isSuspended" | "isFormUsed">,
  now: Date,
): JoinError | null {
  if (player.isSuspended) return "suspended";
  if (game.status !== "Published") return "not-published";
  if (player.isIn) return "already-joined";
  if (hasStarted(game, now)) return "started";
  if (spotsLeft(game.maxPlayers, game.joinedCount) === 0) return "full";
  // The form booked a seat that was given up since: a late repeat must not book it again.
  if (player.isFormUsed) return "form-used";
  return null;
}

async function takeSeat(tx: Tx, jobs: Jobs, join: Join, price: number): Promise<JoinResult> {
  const { playerId: userId, gameId, formKey: bookingId = randomUUID() } = join;
  if (price > 0) {
    const entry = { userId, amountCents: price, bookingId, notes: "Joined a game", at: join.now };
    const paid = await debit(tx, { ...entry, businessKey: `deduction:${bookingId}` });
    if (!paid.ok) return { ...paid, reason: "not-enough-credits", priceCents: price };
  } else if (!(await lockLiveAccount(tx, userId))) {
    // A debit need not look: a deleted account has no credits.
    return { ok: false, reason: "account-gone" };
  }
  const booking = await tx
    .insertInto("bookings")
    .values({
      id: bookingId,
      user_id: userId,
      game_id: gameId,
      payment_status: "Paid",
      ...soldColumns(price),
      uses_free_session: price === 0,
      created_at: join.now,
    })
    .onConflict((conflict) =>
      conflict
        .column("user_id")
        .where(sql<boolean>`uses_free_session`)
        .doNothing(),
    )
    .returning("id")
    .executeTakeFirst();
  // The free session was used up in another game meanwhile: the unique index has decided.
  if (!booking) return { ok: false, reason: "price-changed", priceCents: GAME_PRICE_CENTS };
  await jobs.enqueue(tx, "mail.booking-confirmed", { bookingId });
  return { ok: true, bookingId, priceCents: price };
}
