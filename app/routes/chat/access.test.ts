import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { memberOf, messagesOf } from "#test/chat.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aPlayer, hoursLater, markDeleted, NOW } from "#test/fixtures.ts";
import { signIn } from "#test/visit.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import { waitlistOf } from "#test/waitlist.ts";
import { cancelGame } from "#app/features/bookings/cancel-game.server.ts";
import { removePlayer } from "#app/features/bookings/roster.server.ts";
import type { App } from "#app/routes/context.server.ts";

// Who may read and write when, through the router: a document, its data, and a form in both ways.
const database = useDatabase();
let now = NOW;
let app: App;
let ask: AskSite;
beforeAll(async () => {
  app = testApp(database, () => now);
  ask = await openSite(app);
});

interface Game {
  gameId: string;
  /** Before the game is cancelled, where it is. */
  cancel(): Promise<unknown>;
}
type Who = (game: Game) => Promise<string>;

/** Each prepares a person and returns their Cookie header. */
const WHO: Record<string, Who> = {
  visitor: async ({ cancel }) => {
    await cancel();
    return "";
  },
  stranger: async ({ cancel }) => {
    const id = await aPlayer(app.db);
    await cancel();
    return signIn(app, id);
  },
  "in it": async ({ gameId, cancel }) => {
    const { userId } = await memberOf(database, gameId);
    await cancel();
    return signIn(app, userId);
  },
  left: async ({ gameId, cancel }) => {
    const { userId, bookingId } = await memberOf(database, gameId);
    const left = { payment_status: "Cancelled", end_reason: "Left", cancelled_at: NOW } as const;
    await app.db.updateTable("bookings").set(left).where("id", "=", bookingId).execute();
    await cancel();
    return signIn(app, userId);
  },
  removed: async ({ gameId, cancel }) => {
    const { userId, bookingId } = await memberOf(database, gameId);
    const { id: actorId } = await anAdmin(app);
    const removal = { gameId, bookingId, actorId, withRefund: false, formKey: undefined, now: NOW };
    expect(await removePlayer(app.db, app.jobs, removal)).toMatchObject({ ok: true });
    await cancel();
    return signIn(app, userId);
  },
  waiting: async ({ gameId, cancel }) => {
    const { joined } = await app.db
      .selectFrom("games")
      .select("seats_taken as joined")
      .where("id", "=", gameId)
      .executeTakeFirstOrThrow();
    const full = app.db.updateTable("games").set({ max_players: joined });
    await full.where("id", "=", gameId).execute();
    const userId = await aPlayer(app.db, { credits: 50 });
    await waitlistOf(database).wait(gameId, userId);
    await cancel();
    return signIn(app, userId);
  },
  organiser: async ({ cancel }) => {
    const { id } = await anAdmin(app);
    await cancel();
    return signIn(app, id);
  },
  "demoted organiser": async ({ cancel }) => {
    const { id } = await anAdmin(app);
    const cookie = await signIn(app, id);
    await app.db.deleteFrom("user_roles").where("user_id", "=", id).execute();
    await cancel();
    return cookie;
  },
  suspended: async ({ gameId, cancel }) => {
    const { userId } = await memberOf(database, gameId);
    const cookie = await signIn(app, userId);
    const suspended = { suspended_at: NOW, suspended_reason: "Rough play" };
    await app.db.updateTable("users").set(suspended).where("id", "=", userId).execute();
    await cancel();
    return cookie;
  },
  deleted: async ({ gameId, cancel }) => {
    const { userId } = await memberOf(database, gameId);
    const cookie = await signIn(app, userId);
    await cancel();
    await markDeleted(app.db, userId);
    return cookie;
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

/** The statuses of page and form; visitors are sent to sign in. */
function expected(who: string, when: string): [page: number, post: number] {
  if (["visitor", "suspended", "deleted"].includes(who)) return [302, 302];
  const { hours, isCancelled } = MOMENTS[when]!;
  const isOpen = hours < 49.5 + 24;
  if (who === "in it" || who === "organiser") return [200, isOpen ? 302 : 409];
  // A cancelled game has no page for those who never were in it.
  const isUnseen = isCancelled && !["left", "removed"].includes(who);
  return isUnseen ? [404, 404] : [403, 403];
}

const rows = Object.keys(WHO).flatMap((who) => Object.keys(MOMENTS).map((when) => [who, when]));

test.each(rows)("%s, %s", async (who, when) => {
  const { hours, isCancelled } = MOMENTS[when!]!;
  now = NOW;
  const gameId = await aGame(app.db, { startsIn: 48, spots: 20 });
  await memberOf(database, gameId, "Bo");
  const cancel = async () => {
    if (isCancelled) await cancelGame(app.db, app.jobs, { gameId, now: NOW });
    now = hoursLater(hours);
  };
  const cookie = await WHO[who!]!({ gameId, cancel });
  const path = `/events/${gameId}/chat`;
  const before = (await messagesOf(app.db, gameId)).length;
  const form = () =>
    new URLSearchParams({ intent: "send", message: "Hi", messageId: randomUUID() });
  const statusOf = async (address: string, body?: URLSearchParams) => {
    const { status, headers } = await ask(address, { cookie, ...(body && { body }) });
    const to = headers.get("Location");
    expect([null, `${path}#latest`, `/auth?redirectTo=${encodeURIComponent(path)}`]).toContain(to);
    // The router's own client is sent away by 202.
    return status === 202 ? 302 : status;
  };
  const [page, post] = expected(who!, when!);
  const statuses = [
    ...[await statusOf(path), await statusOf(`${path}.data`)],
    ...[await statusOf(`${path}.data?_routes=routes%2Fchat%2Fshow`)],
    ...[await statusOf(path, form()), await statusOf(`${path}.data`, form())],
  ];
  expect(statuses).toEqual([page, page, page, post, post]);
  const isSent = ["in it", "organiser"].includes(who!) && post === 302;
  expect((await messagesOf(app.db, gameId)).length - before).toBe(isSent ? 2 : 0);
});

test("an outsider reads nothing of it on the game's page, nor is told what is wrong with a form", async () => {
  now = NOW;
  const gameId = await aGame(app.db);
  const { userId } = await memberOf(database, gameId);
  const said = { intent: "send", message: "The code is 7137", messageId: randomUUID() };
  const path = `/events/${gameId}/chat`;
  const cookie = await signIn(app, userId);
  await ask(path, { cookie, body: new URLSearchParams(said) });
  const pageOf = async (who: string) => (await ask(`/events/${gameId}`, { cookie: who })).text();
  expect(await pageOf(cookie)).toContain("The code is 7137");
  const stranger = await signIn(app, await aPlayer(app.db));
  for (const who of ["", stranger]) expect(await pageOf(who)).not.toContain("7137");
  const empty = new URLSearchParams({ ...said, message: "" });
  expect((await ask(path, { cookie: stranger, body: empty })).status).toBe(403);
});
