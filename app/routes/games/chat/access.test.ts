import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { memberOf, messagesOf } from "#test/chat.ts";
import { aGame, aPlayer, hoursLater, markDeleted, NOW } from "#test/fixtures.ts";
import { holdsOf } from "#test/holds.ts";
import { hears, textsOf, useLiveChat } from "#test/live-chat.ts";
import { signIn } from "#test/visit.ts";
import { isLong } from "#test/long.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import { statusesIn, waitlistOf } from "#test/waitlist.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { removePlayer } from "#app/features/roster/roster.server.ts";

/*
 * Checks who may read and write when, through the router: the chat's page, its data, both forms;
 * the page of the game and its data; and the stream.
 */
const chat = useLiveChat();
const { database } = chat;
let ask: AskSite;
beforeAll(async () => {
  ask = await openSite(chat.app);
});

interface Game {
  gameId: string;
  /** Before the game is cancelled, where it is. */
  cancel(): Promise<unknown>;
}
/** `link`: as the page of the game is opened with it. */
type Who = (game: Game) => Promise<{ cookie: string; link?: string }>;

const set = (table: "games" | "users" | "bookings", id: string, values: object) =>
  chat.app.db.updateTable(table).set(values).where("id", "=", id).execute();
const signedIn = async (userId: string) => ({ cookie: await signIn(chat.app, userId) });
const LEFT = { payment_status: "Cancelled", end_reason: "Left", cancelled_at: NOW };

async function aFullGame(gameId: string) {
  const { joined } = await chat.app.db
    .selectFrom("games")
    .select("seats_taken as joined")
    .where("id", "=", gameId)
    .executeTakeFirstOrThrow();
  await set("games", gameId, { max_players: joined });
}

/** Somebody else in it holds a spot: the link's query. */
async function aLink(gameId: string) {
  const { userId } = await memberOf(database, gameId, "Aino");
  return `?hold=${await holdsOf(database).hold(gameId, userId)}`;
}

/** Plays as well: what an admin writes there has the organiser's mark too. */
async function joinAsPlayer(game_id: string, user_id: string) {
  const booking = { game_id, user_id, price_eur: "0", payment_status: "Paid" as const };
  await chat.app.db.insertInto("bookings").values(booking).execute();
}

/** Set up on another device: this session has not shown its code. */
const withoutFactor = (user_id: string) =>
  chat.app.db
    .insertInto("second_factors")
    .values({ user_id, secret: "0", last_step: 0, created_at: NOW })
    .execute();

/** Each prepares a person. */
const WHO: Record<string, Who> = {
  visitor: async ({ cancel }) => {
    await cancel();
    return { cookie: "" };
  },
  "visitor with the link of a held spot": async ({ gameId, cancel }) => {
    const link = await aLink(gameId);
    await cancel();
    return { cookie: "", link };
  },
  stranger: async ({ cancel }) => {
    const id = await aPlayer(chat.app.db);
    await cancel();
    return signedIn(id);
  },
  "stranger with the link of a held spot": async ({ gameId, cancel }) => {
    const id = await aPlayer(chat.app.db, { credits: 50 });
    const link = await aLink(gameId);
    await cancel();
    return { ...(await signedIn(id)), link };
  },
  "player of another game": async ({ cancel }) => {
    const { userId } = await memberOf(database, await aGame(chat.app.db));
    await cancel();
    return signedIn(userId);
  },
  "in it": async ({ gameId, cancel }) => {
    const { userId } = await memberOf(database, gameId);
    await cancel();
    return signedIn(userId);
  },
  "in it and holding a spot": async ({ gameId, cancel }) => {
    const { userId } = await memberOf(database, gameId);
    await holdsOf(database).hold(gameId, userId);
    await cancel();
    return signedIn(userId);
  },
  left: async ({ gameId, cancel }) => {
    const { userId, bookingId } = await memberOf(database, gameId);
    await set("bookings", bookingId, LEFT);
    await cancel();
    return signedIn(userId);
  },
  removed: async ({ gameId, cancel }) => {
    const { userId, bookingId } = await memberOf(database, gameId);
    const { id: actorId } = await anAdmin(chat.app);
    const removal = { gameId, bookingId, actorId, withRefund: false, formKey: undefined, now: NOW };
    expect(await removePlayer(chat.app.db, chat.app.jobs, removal)).toMatchObject({ ok: true });
    await cancel();
    return signedIn(userId);
  },
  waiting: async ({ gameId, cancel }) => {
    await aFullGame(gameId);
    const userId = await aPlayer(chat.app.db, { credits: 50 });
    await waitlistOf(database).wait(gameId, userId);
    await cancel();
    return signedIn(userId);
  },
  "with an offer": async ({ gameId, cancel }) => {
    const { bookingId } = await memberOf(database, gameId);
    await aFullGame(gameId);
    const userId = await aPlayer(chat.app.db, { credits: 50 });
    const list = waitlistOf(database);
    await list.wait(gameId, userId, { mode: "ask" });
    await set("bookings", bookingId, LEFT);
    await list.promote(gameId);
    expect(await statusesIn(chat.app.db, gameId)).toEqual(["Offered"]);
    await cancel();
    return signedIn(userId);
  },
  organiser: async ({ cancel }) => {
    const { id } = await anAdmin(chat.app);
    await cancel();
    return signedIn(id);
  },
  "organiser without the second factor": async ({ gameId, cancel }) => {
    const { id } = await anAdmin(chat.app);
    await joinAsPlayer(gameId, id);
    await cancel();
    const person = await signedIn(id);
    await withoutFactor(id);
    return person;
  },
  "demoted organiser": async ({ cancel }) => {
    const { id } = await anAdmin(chat.app);
    const person = await signedIn(id);
    await chat.app.db.deleteFrom("user_roles").where("user_id", "=", id).execute();
    await cancel();
    return person;
  },
  suspended: async ({ gameId, cancel }) => {
    const { userId } = await memberOf(database, gameId);
    const person = await signedIn(userId);
    await set("users", userId, { suspended_at: NOW, suspended_reason: "Rough play" });
    await cancel();
    return person;
  },
  deleted: async ({ gameId, cancel }) => {
    const { userId } = await memberOf(database, gameId);
    const person = await signedIn(userId);
    await cancel();
    await markDeleted(chat.app.db, userId);
    return person;
  },
};

const MOMENTS: Record<string, { hours: number; isCancelled?: boolean }> = {
  "before the game": { hours: 0 },
  "at its end": { hours: 49.5 },
  "a moment before a day is over": { hours: 49.5 + 23.99 },
  "a day after it": { hours: 49.5 + 24 },
  "when it is cancelled": { hours: 0, isCancelled: true },
  "a day after a cancelled one": { hours: 49.5 + 24, isCancelled: true },
};

const READERS = ["in it", "in it and holding a spot", "organiser"];
const SIGNED_OUT = ["visitor", "visitor with the link of a held spot", "suspended", "deleted"];
const WERE_IN = ["left", "removed"];
const WITHOUT_FACTOR = "organiser without the second factor";
const WAITED = ["waiting", "with an offer"];

/** The statuses of page and form; visitors are sent to sign in. */
function expected(who: string, when: string): [page: number, post: number] {
  if (SIGNED_OUT.includes(who) || who === WITHOUT_FACTOR) return [302, 302];
  const { hours, isCancelled } = MOMENTS[when]!;
  if (READERS.includes(who)) return [200, hours < 49.5 + 24 ? 302 : 409];
  // A cancelled game has no chat for those who never were in it.
  const isUnseen = isCancelled && !WERE_IN.includes(who);
  return isUnseen ? [404, 404] : [403, 403];
}

/** The page of a cancelled game is for those who had to do with it. */
function statusOfGame(who: string, when: string): number {
  const isSeen = [...READERS, ...WERE_IN, ...WAITED, WITHOUT_FACTOR].includes(who);
  return isSeen || !MOMENTS[when]!.isCancelled ? 200 : 404;
}

const SECRET = "The code is kestrel";

/** Whatever the rules for players say at that moment. */
async function write(gameId: string, body: string) {
  await sql`with next as (
      update chats set last_number = last_number + 1 where game_id = ${gameId} returning last_number)
    insert into chat_messages (game_id, user_id, number, body)
    select ${gameId}, ${chat.bo.userId}, last_number, ${body} from next`.execute(chat.app.db);
}

async function expectStream({ cookie }: { cookie: string }, mayRead: boolean) {
  const { url } = await chat.start();
  const witness = await chat.open(url, await signedIn((await anAdmin(chat.app)).id));
  const stream = await chat.open(url, { cookie });
  // Once the second is heard, everybody has got the first.
  for (const text of [SECRET, randomUUID()]) {
    await write(chat.gameId, text);
    await hears(witness, text);
  }
  if (mayRead) return hears(stream, SECRET);
  const back = await chat.open(url, { cookie, after: "1" });
  for (const text of [randomUUID(), randomUUID()]) {
    await write(chat.gameId, text);
    await hears(witness, text);
  }
  expect([...textsOf(stream), ...textsOf(back)]).toEqual([]);
}

const rows = Object.keys(WHO).flatMap((who, turn) => {
  const moments = Object.keys(MOMENTS);
  // In the short run readers at each second moment, everybody else at one; who differs each time.
  const each = READERS.includes(who) ? 2 : moments.length;
  const some = isLong ? moments : moments.filter((_, index) => (index + turn) % each === 0);
  return some.map((when) => [who, when]);
});

test.each(rows)("%s, %s", async (who = "", when = "") => {
  const { hours, isCancelled } = MOMENTS[when]!;
  const { gameId, app } = chat;
  const cancel = async () => {
    if (isCancelled) await cancelGame(app.db, app.jobs, { gameId, now: NOW });
    chat.now = hoursLater(hours);
  };
  const { cookie, link = "" } = await WHO[who]!({ gameId, cancel });
  const mayRead = READERS.includes(who);
  await write(gameId, SECRET);
  const gamePath = `/events/${gameId}`;
  for (const address of [gamePath + link, `${gamePath}.data${link}`]) {
    const response = await ask(address, { cookie });
    expect(response.status, address).toBe(statusOfGame(who, when));
    expect((await response.text()).includes("kestrel"), address).toBe(mayRead);
  }
  const path = `${gamePath}/chat`;
  const before = (await messagesOf(app.db, gameId)).length;
  const form = () =>
    new URLSearchParams({ intent: "send", message: "Hi", messageId: randomUUID() });
  const statusOf = async (address: string, body?: URLSearchParams) => {
    const response = await ask(address, { cookie, ...(body && { body }) });
    const { status, headers } = response;
    const to = headers.get("Location");
    const away =
      who === WITHOUT_FACTOR
        ? `/auth/code?redirectTo=${encodeURIComponent(path)}`
        : `/auth?redirectTo=${encodeURIComponent(`${path}#latest`)}`;
    expect([null, `${path}#latest`, away]).toContain(to);
    expect(mayRead || !(await response.text()).includes("kestrel")).toBe(true);
    // The router's own client is sent away by 202.
    return status === 202 ? 302 : status;
  };
  const [page, post] = expected(who, when);
  const statuses = [
    ...[await statusOf(path), await statusOf(`${path}.data`)],
    ...[await statusOf(`${path}.data?_routes=routes%2Fgames%2Fchat%2Fshow`)],
    ...[await statusOf(path, form()), await statusOf(`${path}.data`, form())],
  ];
  expect(statuses).toEqual([page, page, page, post, post]);
  const isSent = mayRead && post === 302;
  expect((await messagesOf(app.db, gameId)).length - before).toBe(isSent ? 2 : 0);
  await expectStream({ cookie }, mayRead);
});

test("an outsider does not learn what is wrong with a form", async () => {
  const empty = new URLSearchParams({ intent: "send", message: "", messageId: randomUUID() });
  const stranger = await signedIn(await aPlayer(chat.app.db));
  const path = `/events/${chat.gameId}/chat`;
  expect((await ask(path, { ...stranger, body: empty })).status).toBe(403);
});
