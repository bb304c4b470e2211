import { randomBytes } from "node:crypto";
import { addGame } from "../../db/insert.ts";
import { wallClock } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import { press, type ScreenOf } from "./screen.ts";

const HOUR_MS = 3_600_000;

export interface FriendIds {
  /** Game with many spots, of which Aino holds one. */
  friends: string;
  /** The token of its link. */
  heldLink: string;
  /** Link of one that a friend has taken. */
  takenLink: string;
}

/** A spot that is held for a friend: who holds it, anyone who has the link, and the organiser. */
export const FRIEND_SCREENS: ScreenOf<FriendIds>[] = [
  { name: "game-bring-friend", as: "newcomer", before: joinFriends, path: friends },
  { name: "game-friend-held", as: "newcomer", before: holding("Held"), path: friends },
  {
    name: "game-friend-give-back",
    as: "newcomer",
    before: holding("Held"),
    path: friends,
    act: async (page) => {
      await page.getByText("Give it back", { exact: true }).click();
      await page.getByRole("button", { name: "Yes, give it back" }).scrollIntoViewIfNeeded();
    },
  },
  { name: "game-friend-taken", as: "newcomer", before: holding("Taken"), path: friends },
  { name: "game-friend-lapsed", as: "newcomer", before: holding("Lapsed"), path: friends },
  {
    name: "game-friend-no-third",
    as: "newcomer",
    before: heldTwice,
    path: friends,
    act: (page) => page.getByText(/^Two spots you held/).scrollIntoViewIfNeeded(),
    isCropped: true,
  },
  {
    name: "game-friend-failed",
    as: "newcomer",
    before: joinFriends,
    path: friends,
    act: async (page, scenario) => {
      const form = { intent: "hold" };
      await page.request.post(friends(scenario), { form, maxRedirects: 0 });
      await press(page, "Hold a spot");
      await page.getByText("You hold a spot in this game already.").waitFor();
    },
  },
  {
    name: "game-friend-left",
    as: "newcomer",
    before: cameWithOneWhoLeft,
    path: friends,
    act: (page) => page.getByText("is no longer in.").first().scrollIntoViewIfNeeded(),
  },
  {
    name: "my-games-friend-held",
    as: "newcomer",
    before: holding("Held"),
    path: () => "/bookings",
  },
  {
    name: "my-games-friend-held-cancel",
    as: "newcomer",
    before: holding("Held"),
    path: () => "/bookings",
    act: async (page) => {
      const ticket = page.getByRole("article").filter({ hasText: "You hold a spot" });
      await ticket.getByRole("button", { name: /^Cancel/ }).click();
      await page.getByText("Keep my spot").last().waitFor();
    },
  },
  { name: "game-held-link-visitor", path: heldLink },
  { name: "game-held-link", as: "newcomer", path: heldLink },
  {
    name: "game-held-link-in",
    as: "newcomer",
    before: joinFriends,
    path: heldLink,
  },
  {
    name: "game-held-link-over",
    as: "newcomer",
    path: (scenario) => `${friends(scenario)}?hold=${"x".repeat(22)}`,
  },
  {
    name: "game-held-link-taken",
    as: "newcomer",
    path: (scenario) => `${friends(scenario)}?hold=${scenario.takenLink}`,
  },
  {
    name: "game-held-link-own",
    as: "newcomer",
    before: holding("Held"),
    path: friends,
    act: async (page) => {
      const link = new URL(await page.getByLabel("Link for your friend").inputValue());
      await page.goto(link.pathname + link.search);
      await page.getByText("This link is for your friend").scrollIntoViewIfNeeded();
    },
  },
  {
    name: "auth-held-link",
    path: (scenario) => `/auth?redirectTo=${encodeURIComponent(heldLink(scenario))}`,
  },
  {
    name: "admin-game-friends",
    as: "admin",
    path: ({ friends: id }) => `/admin/games/${id}`,
    act: (page) =>
      page
        .getByText(/^with /)
        .first()
        .scrollIntoViewIfNeeded(),
  },
];

function friends({ friends: id }: FriendIds) {
  return `/events/${id}`;
}

function heldLink(scenario: FriendIds) {
  return `${friends(scenario)}?hold=${scenario.heldLink}`;
}

const TITLE = "With friends";

export async function stageFriends(db: Db, venue_id: string): Promise<FriendIds> {
  const { date, time } = wallClock(new Date(Date.now() + 50 * HOUR_MS));
  const hour = time.slice(0, 2);
  const times = { date, start_time: `${hour}:00`, end_time: `${hour}:59` };
  const plan = { title: TITLE, venue_id, max_players: 30, status: "Published" as const };
  const gameId = await addGame(db, { ...plan, ...times });
  const host = await idOf(db, "aino.virtanen");
  await joinFriends(db, host);
  const friend = await findOther(db, gameId);
  const takenLink = await hold(db, { gameId, playerId: host, status: "Taken", friend });
  const heldLink = await hold(db, { gameId, playerId: host, status: "Held" });
  return { friends: gameId, heldLink, takenLink };
}

async function idOf(db: Db, key: string): Promise<string> {
  const user = db.selectFrom("users").select("id").where("email", "=", `${key}@uni.example`);
  return (await user.executeTakeFirstOrThrow()).id;
}

async function joinFriends(db: Db, user_id: string): Promise<void> {
  await book(db, await findGameId(db), user_id);
}

async function findGameId(db: Db): Promise<string> {
  const game = db.selectFrom("games").select("id").where("title", "=", TITLE);
  return (await game.executeTakeFirstOrThrow()).id;
}

async function book(db: Db, game_id: string, user_id: string): Promise<string> {
  const booking = { user_id, game_id, payment_status: "Paid" as const, price_eur: "0" };
  const booked = db.insertInto("bookings").values(booking).returning("id");
  return (await booked.executeTakeFirstOrThrow()).id;
}

interface Hold {
  gameId: string;
  playerId: string;
  status: "Held" | "Taken" | "Lapsed";
  friend?: string;
}

/** The token of its link. Held for long enough that all pictures can be drawn. */
async function hold(db: Db, { gameId, playerId, status, friend }: Hold): Promise<string> {
  const token = randomBytes(16).toString("base64url");
  await db
    .insertInto("friend_holds")
    .values({
      ...{ game_id: gameId, user_id: playerId, token, status },
      booking_id: friend ? await book(db, gameId, friend) : null,
      expires_at: new Date(Date.now() + 2 * HOUR_MS),
      ended_at: status === "Held" ? null : new Date(),
    })
    .execute();
  return token;
}

function holding(status: Hold["status"]) {
  return async (db: Db, playerId: string) => {
    await joinFriends(db, playerId);
    const gameId = await findGameId(db);
    if (status !== "Taken") return void (await hold(db, { gameId, playerId, status }));
    await hold(db, { gameId, playerId, status, friend: await findOther(db, gameId) });
  };
}

async function heldTwice(db: Db, playerId: string): Promise<void> {
  await holding("Lapsed")(db, playerId);
  await hold(db, { gameId: await findGameId(db), playerId, status: "Lapsed" });
}

/** Brought by somebody who has left since, as has the friend that this player brought. */
async function cameWithOneWhoLeft(db: Db, playerId: string): Promise<void> {
  await holding("Taken")(db, playerId);
  const gameId = await findGameId(db);
  const host = await findOther(db, gameId);
  const booking = await book(db, gameId, host);
  const own = db.selectFrom("bookings").select("id").where("game_id", "=", gameId);
  const { id } = await own.where("user_id", "=", playerId).executeTakeFirstOrThrow();
  const taken = { status: "Taken" as const, booking_id: id, ended_at: new Date() };
  const held = { game_id: gameId, user_id: host, token: randomBytes(16).toString("base64url") };
  await db
    .insertInto("friend_holds")
    .values({ ...held, ...taken, expires_at: new Date(Date.now() + 2 * HOUR_MS) })
    .execute();
  const brought = db
    .selectFrom("friend_holds")
    .select("booking_id")
    .where("user_id", "=", playerId);
  await db
    .updateTable("bookings")
    .set({ payment_status: "Cancelled" })
    .where((eb) => eb.or([eb("id", "=", booking), eb("id", "in", brought)]))
    .execute();
}

/** Somebody of the demo data who is not in this game. */
async function findOther(db: Db, gameId: string): Promise<string> {
  const other = db
    .selectFrom("profiles")
    .select("user_id")
    .where("email", "like", "%.%@uni.example")
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
    .orderBy("email");
  return (await other.limit(1).executeTakeFirstOrThrow()).user_id;
}
