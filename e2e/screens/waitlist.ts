import type { Page } from "@playwright/test";
import { sql } from "kysely";
import { wallClock } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { WaitMode } from "#app/platform/schema.ts";
import { addGame } from "../../db/insert.ts";
import { findGames } from "../games.ts";
import { clearToast, press, showOldHour, type ScreenOf } from "./screen.ts";

const HOUR_MS = 3_600_000;

export interface WaitlistIds {
  /** Full; the newcomers of its screens get a spot held each. */
  held: string;
  heldToo: string;
  /** At the hour of the game `soon`. */
  meanwhile: string;
}

/** The waitlist of a full game, offers, late cancellations and two games at once. */
type Ids = WaitlistIds & Record<"soon" | "full", string>;

export const WAITLIST_SCREENS: ScreenOf<Ids>[] = [
  { name: "game-full-visitor", path: full() },
  {
    name: "waitlist-dialog",
    as: "newcomer",
    path: full(),
    act: openDialog,
    isCropped: true,
  },
  {
    name: "waitlist-dialog-poor",
    as: "broke",
    path: full(),
    act: openDialog,
    isCropped: true,
  },
  {
    name: "waitlist-joined",
    as: "newcomer",
    path: full(),
    act: async (page) => {
      await openDialog(page);
      await page.getByRole("dialog").getByRole("button", { name: "Join waitlist" }).click();
    },
    toast: "You're on the waitlist",
  },
  {
    name: "waitlist-moved",
    as: "newcomer",
    path: full(),
    act: async (page) => {
      await openDialog(page);
      await showOldHour(page);
      await page.getByRole("dialog").getByRole("button", { name: "Join waitlist" }).click();
      await page.getByRole("dialog").getByText("has moved").waitFor();
    },
    isCropped: true,
  },
  { name: "game-waiting", as: "newcomer", before: waitForFull(), path: full() },
  {
    name: "game-waiting-asked",
    as: "newcomer",
    before: waitForFull({ mode: "ask" }),
    path: full(),
  },
  {
    name: "game-waiting-changed",
    as: "newcomer",
    before: waitForFull({ needs_consent: true }),
    path: full(),
  },
  {
    name: "game-waiting-unanswered",
    as: "newcomer",
    before: waitForFull({ mode: "ask", needs_consent: true, unanswered_offers: 2 }),
    path: full(),
  },
  {
    name: "game-offer",
    as: "newcomer",
    before: offerOf("Held"),
    path: ({ held }) => `/events/${held}`,
  },
  {
    name: "game-offer-dialog",
    as: "newcomer",
    before: offerOf("Held too"),
    path: ({ heldToo }) => `/events/${heldToo}?offer=1`,
    isCropped: true,
  },
  {
    name: "game-offer-moved",
    as: "newcomer",
    before: offerOf("Held too"),
    path: ({ heldToo }) => `/events/${heldToo}?offer=1`,
    act: async (page) => {
      await showOldHour(page);
      await page.getByRole("dialog").getByRole("button", { name: /^Take/ }).click();
      await page.getByText("has moved").first().waitFor();
    },
    isCropped: true,
  },
  {
    name: "game-offer-over",
    as: "newcomer",
    before: waitForFull({ mode: "ask" }),
    path: full("?offer=1"),
  },
  {
    name: "events-waiting",
    as: "newcomer",
    before: waitForFull(),
    path: "/events",
    act: (page) => page.getByText("On the waitlist").scrollIntoViewIfNeeded(),
    isCropped: true,
  },
  {
    name: "game-waiting-change",
    as: "newcomer",
    before: waitForFull({ mode: "ask" }),
    path: full(),
    act: (page) => openNamed(page, "Manage"),
    isCropped: true,
  },
  {
    name: "game-waiting-leave",
    as: "newcomer",
    before: waitForFull(),
    path: full(),
    act: (page) => openNamed(page, "Manage").then(() => press(page, "Leave waitlist")),
    isCropped: true,
  },
  { name: "game-offer-visitor", path: full("?offer=1") },
  { name: "bookings-waiting", as: "newcomer", before: waitForFull(), path: "/bookings" },
  {
    name: "bookings-waiting-unanswered",
    as: "newcomer",
    before: waitForFull({ mode: "ask", needs_consent: true, unanswered_offers: 2 }),
    path: "/bookings",
  },
  { name: "bookings-spot-open", as: "newcomer", path: "/bookings", act: cancelLate },
  {
    name: "game-two-at-once",
    as: "newcomer",
    before: joinMeanwhile,
    path: ({ soon }) => `/events/${soon}`,
    act: async (page) => {
      await press(page, "Join game");
      await page.getByText("Two games at once?").waitFor();
    },
  },
  {
    name: "admin-game-waitlist",
    as: "admin",
    path: ({ full: id }) => `/admin/games/${id}`,
    act: (page) => page.getByRole("heading", { name: "Waitlist" }).scrollIntoViewIfNeeded(),
  },
  {
    name: "admin-waitlist-promote",
    as: "admin",
    path: ({ full: id }) => `/admin/games/${id}`,
    act: async (page) => {
      await press(page, /^Promote /);
      await page.getByRole("dialog").waitFor();
    },
    isCropped: true,
  },
];

function full(query = "") {
  return ({ full: id }: Ids) => `/events/${id}${query}`;
}

function openDialog(page: Page) {
  return openNamed(page, "Join waitlist");
}

async function openNamed(page: Page, button: string) {
  await press(page, button);
  await page.getByRole("dialog").waitFor();
}

async function cancelLate(page: Page, { soon }: Ids) {
  await page.request.post(`/events/${soon}`, { form: { intent: "join" }, maxRedirects: 0 });
  await page.reload();
  const bookingId = await page.locator("input[name=bookingId]").first().inputValue();
  const form = { intent: "cancel", bookingId };
  await page.request.post("/bookings", { form, maxRedirects: 0 });
  await clearToast(page);
  await page.reload({ waitUntil: "networkidle" });
}

/** Games with a spot that is held, and people who wait for the full one. */
export async function stageWaitlists(db: Db, venue_id: string): Promise<WaitlistIds> {
  const { full: gameId } = await findGames(db);
  const others = await db
    .selectFrom("profiles")
    .select("user_id")
    .where("user_id", "not in", db.selectFrom("user_roles").select("user_id"))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("bookings")
            .select("id")
            .whereRef("bookings.user_id", "=", "profiles.user_id")
            .where("game_id", "=", gameId),
        ),
      ),
    )
    .where("email", "not like", "newcomer%")
    .where("email", "not in", ["player@uni.example", "broke@uni.example"])
    .orderBy("email")
    .limit(6)
    .execute();
  const [first, second, ...rest] = others.map(({ user_id }) => user_id);
  await wait(db, { gameId, playerId: first! });
  const promoted = { missed_offers: 1, promote_reason: "Waited in vain last week" };
  await wait(db, { gameId, playerId: second!, mode: "ask", ...promoted });
  await db
    .updateTable("waitlist_entries")
    .set({ passed_over: "credits" })
    .where("user_id", "=", first!)
    .execute();
  return {
    held: await aHeldGame(db, { title: "Held", venue_id }, rest),
    heldToo: await aHeldGame(db, { title: "Held too", venue_id }, rest),
    meanwhile: await aGameIn(db, 4, { title: MEANWHILE, venue_id, max_players: 10 }),
  };
}

const MEANWHILE = "Meanwhile";

type Game = { title: string; venue_id: string };

/** Game with a spot for each of these. */
export async function aHeldGame(db: Db, game: Game, players: string[], hours = 30) {
  const game_id = await aGameIn(db, hours, { ...game, max_players: players.length });
  const bookings = players.map(
    (user_id) => ({ user_id, game_id, payment_status: "Unpaid" }) as const,
  );
  await db.insertInto("bookings").values(bookings).execute();
  return game_id;
}

export function aGameIn(db: Db, hours: number, game: Game & { max_players: number }) {
  const { date, time } = wallClock(hoursAhead(hours));
  const hour = time.slice(0, 2);
  const times = { date, start_time: `${hour}:00`, end_time: `${hour}:59` };
  return addGame(db, { status: "Published", ...times, ...game });
}

interface Wish {
  mode?: WaitMode;
  needs_consent?: boolean;
  unanswered_offers?: number;
  missed_offers?: number;
  promote_reason?: string;
  max_price_eur?: string;
  agreed_at?: Date;
}

export function waitForFull(wish: Wish = {}) {
  return async (db: Db, playerId: string) => {
    const { full: gameId } = await findGames(db);
    await wait(db, { ...wish, gameId, playerId });
  };
}

export const findTitled = (db: Db, title: string) =>
  db.selectFrom("games").select("id").where("title", "=", title).executeTakeFirstOrThrow();

export function offerOf(title: string) {
  return async (db: Db, playerId: string) => {
    const { id: gameId } = await findTitled(db, title);
    await wait(db, { gameId, playerId, mode: "ask" });
    // At once, or the worker would give the spot away.
    await db.transaction().execute(async (tx) => {
      await sql`update games set max_players = max_players + 1 where id = ${gameId}`.execute(tx);
      const offer = { status: "Offered" as const, offer_expires_at: hoursAhead(2) };
      const own = tx.updateTable("waitlist_entries").set(offer);
      await own.where("user_id", "=", playerId).execute();
    });
  };
}

export const hoursAhead = (hours: number) => new Date(Date.now() + hours * HOUR_MS);

async function joinMeanwhile(db: Db, user_id: string): Promise<void> {
  const { id: game_id } = await findTitled(db, MEANWHILE);
  const booking = { user_id, game_id, payment_status: "Paid" as const, price_eur: "0" };
  await db.insertInto("bookings").values(booking).execute();
}

type Entry = Wish & { gameId: string; playerId: string };

export async function wait(db: Db, { gameId, playerId, mode = "auto", ...state }: Entry) {
  const game = db.selectFrom("games").select("starts_at").where("id", "=", gameId);
  const { starts_at } = await game.executeTakeFirstOrThrow();
  const terms = { mode, max_price_eur: "10", until_hours: 3 };
  const not_after = new Date(starts_at.getTime() - 3 * HOUR_MS);
  const entry = { game_id: gameId, user_id: playerId, ...terms, not_after, ...state };
  await db.insertInto("waitlist_entries").values(entry).execute();
}
