import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { sendTogether, type Statement, type Tx } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { GAME_PRICE_CENTS } from "#app/features/games/rules.ts";
import { priceNow } from "#app/features/games/shown-game.ts";
import { debit, type LockedWallet, type Wallet } from "#app/features/wallet/ledger.server.ts";
import { soldColumns } from "./rules.ts";

export type SeatResult =
  | { ok: true; bookingId: string; priceCents: number }
  | {
      ok: false;
      reason: "account-gone" | "changed" | "full" | "not-enough-credits";
      /** What is true now, where it is not what was shown. */
      newFacts?: string;
      priceCents?: number;
      wallet?: Wallet;
    };

/** Rolls back the release of held spots. */
export class NotTaken extends Error {
  readonly result: Extract<SeatResult, { ok: false }>;
  constructor(result: Extract<SeatResult, { ok: false }>) {
    super("the spot was not taken");
    this.result = result;
  }
}

interface Seat {
  price: number;
  wallet: LockedWallet;
  freeCancelUntil?: Date | null;
  mail?: "booking-confirmed" | "waitlist-booked" | "added-to-game";
}

type Failed = Extract<SeatResult, { ok: false }>;
type Taken = Extract<SeatResult, { ok: true }>;
interface Joining {
  gameId: string;
  formKey?: string | undefined;
  now: Date;
}

/** Debit, booking and email; the game and the player's wallet are locked, and it has a free spot. */
export async function takeSeat(tx: Tx, jobs: Jobs, join: Joining, seat: Seat): Promise<SeatResult> {
  const taking = await takingSeat(tx, jobs, join, seat);
  if (!taking.ok) return taking;
  const { statements, ...taken } = taking;
  const [[booking]] = await sendTogether(tx, ...statements);
  // The free session was used up in another game meanwhile: the unique index has decided.
  if (!booking) {
    throw new NotTaken({ ok: false, reason: "changed", newFacts: priceNow(GAME_PRICE_CENTS) });
  }
  return taken;
}

/** The same as statements. Of a free seat the first one's row decides. */
export async function takingSeat(
  tx: Tx,
  jobs: Jobs,
  join: Joining,
  { price, wallet, freeCancelUntil = null, mail = "booking-confirmed" }: Seat,
): Promise<Failed | (Taken & { statements: [Statement<unknown>, ...Statement<unknown>[]] })> {
  const { gameId, formKey: bookingId = randomUUID() } = join;
  // Only a free seat has to look: a deleted account has no credits to debit.
  if (price === 0 && wallet.isGone) return { ok: false, reason: "account-gone" };
  const entry = { amountCents: price, bookingId, notes: "Joined a game", at: join.now };
  const payment =
    price > 0 ? debit(wallet, { ...entry, businessKey: `deduction:${bookingId}` }) : null;
  if (price > 0 && !payment) {
    return { ok: false, reason: "not-enough-credits", priceCents: price, wallet };
  }
  const seat = tx
    .insertInto("bookings")
    .values({
      id: bookingId,
      user_id: wallet.userId,
      game_id: gameId,
      payment_status: "Paid",
      ...soldColumns(price),
      uses_free_session: price === 0,
      free_cancel_until: freeCancelUntil,
      created_at: join.now,
    })
    .onConflict((conflict) =>
      conflict
        .column("user_id")
        .where(sql<boolean>`uses_free_session`)
        .doNothing(),
    )
    .returning("id");
  const email = await jobs.toEnqueueEmail(mail, { bookingId });
  const statements = [seat, ...(payment ? [payment] : []), email] as const;
  return { ok: true, bookingId, priceCents: price, statements: [...statements] };
}
