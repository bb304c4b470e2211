import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { sql } from "kysely";
import { CALLED_OFF_NOTE } from "#app/features/seats/rules.ts";
import { correctBalance } from "#app/features/wallet/correct-balance.server.ts";
import { debit, lockWallet, refund } from "#app/features/wallet/ledger.server.ts";
import { recordAudit } from "#app/platform/audit.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { SILENT } from "../players.ts";
import { press, type ScreenOf } from "./screen.ts";
import { aGameIn, aHeldGame, findTitled, hoursAhead, offerOf, wait } from "./waitlist.ts";

/** Full, and too late for a refund; three wait for it. */
const LATE = "Late and full";
const MOVED = "Moved";
const BESIDE_HELD = "Beside the held one";

export interface WaitlistStateIds {
  lateAndFull: string;
  moved: string;
  /** Its free spot belongs to somebody who waits. */
  claimed: string;
}

/** What may happen to who waits: obstacles, changes, offers at a bad hour, a game called off. */
type Ids = WaitlistStateIds & Record<"tooFew" | "held" | "full", string>;

export const WAITLIST_STATE_SCREENS: ScreenOf<Ids>[] = [
  {
    name: "game-called-off-instead",
    as: "newcomer",
    before: wasInTooFew,
    path: ({ tooFew }) => `/events/${tooFew}`,
  },
  { name: "bookings-offer", as: "newcomer", before: offerOf("Held"), path: "/bookings" },
  {
    name: "game-offer-two-at-once",
    as: "newcomer",
    before: async (db, playerId) => {
      await offerOf("Held")(db, playerId);
      await sitIn(db, { title: BESIDE_HELD, playerId });
    },
    path: ({ held }) => `/events/${held}`,
    act: async (page) => {
      await press(page, /^Take the spot/);
      await page.getByRole("button", { name: "Take it anyway" }).waitFor();
    },
  },
  { name: "game-waiting-poor", as: "newcomer", before: waitPoor, path: moved },
  { name: "bookings-waiting-poor", as: "newcomer", before: waitPoor, path: "/bookings" },
  { name: "game-waiting-moved", as: "newcomer", before: waitForMoved, path: moved },
  { name: "bookings-waiting-moved", as: "newcomer", before: waitForMoved, path: "/bookings" },
  { name: "game-waiting-costs-more", as: "newcomer", before: waitForFree, path: moved },
  {
    name: "events-full-minimum",
    as: "newcomer",
    path: "/events",
    act: async (page, { lateAndFull }) => {
      const row = page.locator(`a[href="/events/${lateAndFull}"]`);
      await row.evaluate((element) => element.scrollIntoView({ block: "center" }));
    },
    isCropped: true,
  },
  {
    name: "waitlist-dialog-errors",
    as: "newcomer",
    path: late,
    act: chooseTooLate,
    isCropped: true,
  },
  {
    name: "cancel-dialog-late-waiting",
    as: "newcomer",
    before: (db, playerId) => sitIn(db, { title: LATE, playerId }),
    path: "/bookings",
    act: async (page) => {
      await press(page, /^Cancel /);
      await page.getByRole("dialog").waitFor();
    },
    isCropped: true,
  },
  {
    name: "bookings-promoted-late",
    as: "newcomer",
    before: (db, playerId) => {
      return sitIn(db, { title: LATE, playerId, free_cancel_until: hoursAhead(0.4) });
    },
    path: "/bookings",
  },
  {
    name: "admin-game-next-waiting",
    as: "admin",
    path: ({ claimed }) => `/admin/games/${claimed}`,
    act: addInstead,
  },
  {
    name: "admin-waitlist-remove",
    as: "admin",
    path: ({ full }) => `/admin/games/${full}`,
    act: async (page) => {
      await press(page, /^Remove .+ from the waitlist$/);
      await page.getByRole("dialog").waitFor();
    },
    isCropped: true,
  },
];

function moved({ moved: id }: Ids) {
  return `/events/${id}`;
}

function late({ lateAndFull: id }: Ids) {
  return `/events/${id}`;
}

/** `next` has credits for a spot. */
export async function stageWaitlistStates(
  db: Db,
  venue_id: string,
  next: string,
): Promise<WaitlistStateIds> {
  const demo = db.selectFrom("users").select("id").where("email", "like", "%.%@uni.example");
  const ids = (await demo.orderBy("email").limit(7).execute()).map(({ id }) => id);
  const [players, waiting] = [ids.slice(0, 4), ids.slice(4)];
  const lateAndFull = await aHeldGame(db, { title: LATE, venue_id }, players, 5);
  const late = db.updateTable("games").set({ min_players: 4, decides_hours: 0.5 });
  await late.where("id", "=", lateAndFull).execute();
  // Not agreed to: no spot that opens on the way is theirs.
  for (const playerId of waiting) {
    await wait(db, { gameId: lateAndFull, playerId, needs_consent: true });
  }
  const beside = { title: BESIDE_HELD, venue_id, max_players: 10 };
  await aGameIn(db, 30, beside);
  return {
    lateAndFull,
    moved: await aMovedGame(db, venue_id, players),
    claimed: await aClaimedGame(db, venue_id, { players, next }),
  };
}

async function aMovedGame(db: Db, venue_id: string, players: string[]): Promise<string> {
  const subject = await aHeldGame(db, { title: MOVED, venue_id }, players, 53);
  const admin = db.selectFrom("users").select("id").where("email", "=", "admin@uni.example");
  const { id: actor } = await admin.executeTakeFirstOrThrow();
  const details = { before: { startTime: "06:00", endTime: "06:45" } };
  const edit = { actor, action: "game.edit", subject, details } as const;
  await db.transaction().execute((tx) => recordAudit(tx, edit));
  return subject;
}

async function aClaimedGame(
  db: Db,
  venue_id: string,
  { players, next: playerId }: { players: string[]; next: string },
): Promise<string> {
  const gameId = await aHeldGame(db, { title: "Claimed", venue_id }, players, 9);
  // The worker would offer the spot to who waits: it stays as it is.
  await sql`create function drop_offer() returns trigger language plpgsql as 'begin return null; end'`.execute(
    db,
  );
  await sql`create trigger keep_waiting before update on waitlist_entries for each row
    when (new.game_id = ${sql.lit(gameId)} and new.status = 'Offered')
    execute function drop_offer()`.execute(db);
  await wait(db, { gameId, playerId, mode: "ask" });
  await sql`update games set max_players = max_players + 1 where id = ${gameId}`.execute(db);
  return gameId;
}

/** Called off with too few players, and everything came back. */
async function wasInTooFew(db: Db, userId: string): Promise<void> {
  const game = db.selectFrom("games").select("id").where("decision", "=", "CalledOff");
  const { id: game_id } = await game.executeTakeFirstOrThrow();
  const [bookingId, now] = [randomUUID(), new Date()];
  await db.transaction().execute(async (tx) => {
    const wallet = await lockWallet(tx, userId);
    const entry = { userId, amountCents: 1_000, bookingId, notes: CALLED_OFF_NOTE };
    await debit(wallet, { ...entry, businessKey: `deduction:${bookingId}` })!.execute(tx);
    const ended = { payment_status: "Refunded", end_reason: "GameCancelled" } as const;
    const booking = { id: bookingId, user_id: userId, game_id, price_eur: "10", cancelled_at: now };
    await tx
      .insertInto("bookings")
      .values({ ...booking, ...ended })
      .execute();
    await refund(tx, [{ ...entry, businessKey: `refund:${bookingId}` }], now);
  });
}

interface Seat {
  title: string;
  playerId: string;
  free_cancel_until?: Date;
}

/** In one more spot of a full game. */
async function sitIn(db: Db, { title, playerId: user_id, ...terms }: Seat): Promise<void> {
  const { id: game_id } = await findTitled(db, title);
  const booking = { user_id, game_id, payment_status: "Paid" as const, price_eur: "10" };
  await db.transaction().execute(async (tx) => {
    await sql`update games set max_players = max_players + 1 where id = ${game_id}`.execute(tx);
    await tx
      .insertInto("bookings")
      .values({ ...booking, ...terms })
      .execute();
  });
}

async function waitPoor(db: Db, playerId: string): Promise<void> {
  const spent = { amountCents: -2_600, reason: "Spent", actor: "command", key: randomUUID() };
  await correctBalance(db, SILENT, { ...spent, userId: playerId });
  await wait(db, { gameId: (await findTitled(db, MOVED)).id, playerId });
}

async function waitForMoved(db: Db, playerId: string): Promise<void> {
  const place = { needs_consent: true, agreed_at: hoursAhead(-1) };
  await wait(db, { gameId: (await findTitled(db, MOVED)).id, playerId, ...place });
}

/** Agreed to as the free session, which was used in another game since. */
async function waitForFree(db: Db, playerId: string): Promise<void> {
  const place = { needs_consent: true, max_price_eur: "0" };
  await wait(db, { gameId: (await findTitled(db, MOVED)).id, playerId, ...place });
}

/** Chooses like a page that has been open for hours. */
async function chooseTooLate(page: Page) {
  await press(page, "Join waitlist");
  const dialog = page.getByRole("dialog");
  const last = dialog.getByRole("combobox", { name: "Until when?" }).locator("option").last();
  await last.evaluate((option: HTMLOptionElement) => {
    option.value = "24";
    option.selected = true;
  });
  await dialog.getByRole("button", { name: "Join waitlist" }).click();
  await dialog.getByText("That time has passed.").first().waitFor();
}

async function addInstead(page: Page) {
  await page.getByLabel("Email or name").fill("player@uni.example");
  await press(page, "Add unpaid");
  await page.getByText("next on the waitlist").first().waitFor();
}
