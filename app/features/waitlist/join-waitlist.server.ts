import { sql } from "kysely";
import pg from "pg";
import { confirmationKey } from "#app/features/games/warnings.server.ts";
import { changeGame } from "#app/features/games/change-game.server.ts";
import type { LockedGame } from "#app/features/games/games.server.ts";
import { hasStarted, priceCents } from "#app/features/games/rules.ts";
import { gameChange, type MoreFacts, priceFact } from "#app/features/games/shown-game.ts";
import type { Facts } from "#app/platform/as-shown.ts";
import { type Db, inCents, type Tx } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { numericFromCents } from "#app/platform/money.ts";
import type { WaitMode } from "#app/platform/schema.ts";
import { freeSpotsNow } from "#app/features/seats/after-join.server.ts";
import { saleFact } from "#app/features/seats/rules.ts";
import { endEntries, findLiveEntry } from "./entries.server.ts";
import { belongsToWaitlist } from "./order.server.ts";
import {
  agreementText,
  agreementTexts,
  AGREEMENT_VERSION,
  notAfter,
  type UntilHours,
  WAITS_MAX,
} from "./rules.ts";
import { freeSessionIsUsed } from "#app/features/seats/free-session.server.ts";
import { IS_LIVE } from "#app/features/games/held-spots.server.ts";

interface Wait {
  gameId: string;
  playerId: string;
  mode: WaitMode;
  untilHours: UntilHours;
  shown?: Facts;
  formKey: string;
  now: Date;
}

type WaitError =
  | "not-found"
  | "suspended"
  | "not-published"
  | "already-joined"
  | "already-waiting"
  | "started"
  | "not-full"
  | "too-often"
  | "too-late"
  | "form-used"
  | "not-waiting"
  | "offered"
  | "changed";

type WaitResult = { ok: true } | { ok: false; reason: WaitError; newFacts?: string };

/** Agrees to be booked, or asked, when a spot opens. Errors write nothing. */
export function joinWaitlist(db: Db, jobs: Jobs, wait: Wait): Promise<WaitResult> {
  const joined = agree(db, jobs, wait, async (tx, game, player, price) => {
    if (player.isRepeat) return "agreed";
    return waitError(game, player, wait) ?? entryError(tx, game, player, { ...wait, price });
  });
  return joined.catch((error) => {
    if (isKeyTaken(error)) return { ok: false, reason: "form-used" };
    throw error;
  });
}

/** Other terms for the same place, which keeps its turn. A repeated form changes nothing more. */
export function changeAgreement(db: Db, jobs: Jobs, wait: Wait): Promise<WaitResult> {
  return agree(db, jobs, wait, async (tx, game, player) => {
    const entry = await findLiveEntry(tx, wait);
    if (!entry) return "not-waiting";
    return entry.isOffered ? "offered" : waitError(game, { ...player, isFormUsed: false }, wait);
  });
}

/** `check` says what is wrong, or that the same form has agreed to it before. */
function agree(
  db: Db,
  jobs: Jobs,
  wait: Wait,
  check: (
    tx: Tx,
    game: LockedGame,
    player: WaiterFacts,
    price: number,
  ) => Promise<WaitError | "agreed" | null>,
): Promise<WaitResult> {
  const { gameId, now } = wait;
  const change = { gameId, jobs, facts: waiterFacts(wait) };
  return changeGame<WaitResult, WaiterFacts>(db, change, async (tx, game, { facts: player }) => {
    const price = priceCents(game, player);
    const reason = await check(tx, game, player, price);
    if (reason) return reason === "agreed" ? { ok: true } : reason;
    const agreed = { ...wait, price, readAt: readAt(game, { ...wait, price }) };
    const changed = waitChange(game, agreed);
    if (changed) return changed;
    await store(tx, game, { ...agreed, missedOffers: player.missedOffers });
    // A free spot may have waited for this consent, or for somebody to be booked at once.
    return { ok: true, promote: (await freeSpotsNow(tx, game, now)) > 0 ? [gameId] : [] };
  });
}

type Agreed = Wait & { price: number; readAt: Date };

function waitChange(game: LockedGame, { shown, price, readAt: at, now }: Agreed) {
  const terms = termsFact({ startsAt: game.startsAt, priceCents: price, now: at });
  const more: MoreFacts = { ...priceFact(price), ...saleFact(), terms: [terms, TERMS_NEWS] };
  return gameChange(shown, game, now, more);
}

/** Fact for the agreement that is stored: it has to be the text that the form has shown. */
export const termsFact = (terms: Parameters<typeof agreementTexts>[0]): string =>
  confirmationKey(agreementTexts(terms));

/** When the form was made: its text leaves out the date of a day within a week, which is no change. */
function readAt(game: LockedGame, { shown, price, now }: Omit<Agreed, "readAt">): Date {
  const days = Array.from({ length: 10 }, (_, day) => new Date(now.getTime() - day * DAY_MS));
  const terms = { startsAt: game.startsAt, priceCents: price };
  return days.find((at) => termsFact({ ...terms, now: at }) === shown?.["terms"]) ?? now;
}

const DAY_MS = 86_400_000;

const TERMS_NEWS = "What you agree to reads differently now.";

/** The form was sent to several games at once: no lock of this game's holds the others back. */
const isKeyTaken = (error: unknown) =>
  error instanceof pg.DatabaseError && error.constraint === "waitlist_entries_pkey";

interface WaiterFacts {
  isIn: boolean;
  isSuspended: boolean;
  hasUsedFreeSession: boolean;
  isRepeat: boolean;
  isFormUsed: boolean;
  waits: number;
  missedOffers: number;
}

const waiterFacts = ({ gameId, playerId, formKey }: Wait) => sql<WaiterFacts>`
    select exists (select from bookings where game_id = ${gameId} and user_id = ${playerId}
        and ${IS_LIVE}) as "isIn",
      exists (select from users where id = ${playerId} and suspended_at is not null) as "isSuspended",
      ${freeSessionIsUsed(playerId)} as "hasUsedFreeSession",
      exists (select from waitlist_entries where ${formKey} in (id, agreed_key)
        and game_id = ${gameId} and user_id = ${playerId}
        and status in ('Waiting', 'Offered')) as "isRepeat",
      exists (select from waitlist_entries where id = ${formKey})
        or exists (select from waitlist_entries where agreed_key = ${formKey}
          and game_id = ${gameId} and user_id = ${playerId}) as "isFormUsed",
      count(*)::integer as waits, greatest(max(missed_offers), 0) as "missedOffers"
    from waitlist_entries where game_id = ${gameId} and user_id = ${playerId}`;

function waitError(
  game: LockedGame,
  player: WaiterFacts,
  { untilHours, now }: Wait,
): WaitError | null {
  if (player.isSuspended) return "suspended";
  if (game.status !== "Published") return "not-published";
  if (player.isIn) return "already-joined";
  if (hasStarted(game, now)) return "started";
  if (player.isFormUsed) return "form-used";
  return notAfter(game.startsAt, untilHours) <= now ? "too-late" : null;
}

async function entryError(
  tx: Tx,
  game: LockedGame,
  { waits }: WaiterFacts,
  { gameId, playerId, now, price }: Wait & { price: number },
): Promise<WaitError | null> {
  const entry = await findLiveEntry(tx, { gameId, playerId });
  if (entry) return (await needsConsent(tx, entry.id, price)) ? null : "already-waiting";
  const isFull =
    (await freeSpotsNow(tx, game, now)) === 0 || (await belongsToWaitlist(tx, game, playerId, now));
  if (!isFull) return "not-full";
  return waits >= WAITS_MAX ? "too-often" : null;
}

/** Also where it costs more than was agreed to, and nobody has asked yet. */
async function needsConsent(tx: Tx, id: string, price: number): Promise<boolean> {
  const entry = tx
    .selectFrom("waitlist_entries")
    .select(["needs_consent as isAsked", "status", inCents("max_price_eur").as("agreedCents")])
    .where("id", "=", id);
  const { isAsked, status, agreedCents } = await entry.executeTakeFirstOrThrow();
  return isAsked || (status === "Waiting" && agreedCents < price);
}

async function store(
  tx: Tx,
  game: LockedGame,
  wait: Agreed & { missedOffers: number },
): Promise<void> {
  const { price, missedOffers: missed_offers } = wait;
  const { gameId: game_id, playerId: user_id, mode, untilHours, now, formKey: id } = wait;
  const agreed = {
    mode,
    agreed_text: agreementText({
      mode,
      untilHours,
      priceCents: price,
      startsAt: game.startsAt,
      now: wait.readAt,
    }),
    agreed_version: AGREEMENT_VERSION,
    agreed_at: now,
    max_price_eur: numericFromCents(price),
    until_hours: untilHours,
    not_after: notAfter(game.startsAt, untilHours),
    needs_consent: false,
    unanswered_offers: 0,
    agreed_key: id,
    game_starts_at: game.startsAt,
    game_ends_at: game.endsAt,
    game_venue_id: game.venueId,
  };
  const entry = await findLiveEntry(tx, wait);
  if (entry) {
    const own = tx.updateTable("waitlist_entries").set(agreed).where("id", "=", entry.id);
    await own.execute();
    return;
  }
  const row = { id, game_id, user_id, created_at: now, missed_offers, ...agreed };
  await tx.insertInto("waitlist_entries").values(row).execute();
}

interface Leave {
  gameId: string;
  playerId: string;
  shown?: Facts;
  now: Date;
}

export type LeaveResult =
  | { ok: true }
  | { ok: false; reason: "not-found" | "not-waiting" | "changed"; newFacts?: string };

export function leaveWaitlist(
  db: Db,
  jobs: Jobs,
  { gameId, playerId, shown, now }: Leave,
): Promise<LeaveResult> {
  return changeGame<LeaveResult>(db, { gameId, jobs }, async (tx, game) => {
    const entry = await findLiveEntry(tx, { gameId, playerId });
    if (!entry) return "not-waiting";
    const change = gameChange(shown, game, now, offerFact(entry.isOffered));
    if (change) return change;
    await endEntries(tx, [entry.id], { status: "Left", reason: "Left", now });
    return { ok: true, promote: [gameId] };
  });
}

/** A held spot goes with the place on the list. */
export const offerFact = (isOffered: boolean): Record<string, [string, string]> => ({
  offer: [String(isOffered), isOffered ? "A spot is held for you now." : "This offer is over."],
});
