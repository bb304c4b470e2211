import { expect, test, vi } from "vitest";
import { listenTo } from "#app/platform/postgres/listener.server.ts";
import { useErasure } from "#test/erasure.ts";
import { aGame, ben } from "#test/fixtures.ts";
import { account, expectLockOrder, game, readAsStored } from "#test/lock-order.ts";
import { changeGame, changeGames, type GameEvent, type Outcome } from "./change-game.server.ts";

const scenario = useErasure();
readAsStored(scenario.database);
const db = () => scenario.app.db;

type Result = { ok: true; count?: number } | { ok: false; reason: "not-found" | "not-on" };

async function aChange(formKey?: string) {
  const [gameId, actorId] = [await aGame(db()), await ben(db())];
  return { gameId, actorId, action: "game.message", formKey } as const;
}
const run = (change: Awaited<ReturnType<typeof aChange>>, outcome: Outcome<Result>) =>
  changeGame<Result>(db(), change, async () => outcome);

async function entriesOf(actor: string) {
  const entries = db().selectFrom("audit_log").select(["action", "subject", "details"]);
  return entries.where("actor", "=", actor).orderBy("id").execute();
}

/** What `act` publishes. A notification of our own shows that nothing else is still to come. */
async function published(act: () => Promise<unknown>): Promise<string[]> {
  const published: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const listener = listenTo(scenario.database.pool, {
    onListening: resolve,
    onPayload: { live_games: (payload) => void published.push(payload) },
  });
  await promise;
  await act();
  await scenario.database.pool.query("select pg_notify('live_games', 'end')");
  await vi.waitFor(() => expect(published).toContain("end"));
  await listener.close();
  return published.filter((payload) => payload !== "end");
}

test.each<[string, Outcome<Result>, Result]>([
  ["a reason", "not-on", { ok: false, reason: "not-on" }],
  ["a result without an event", { ok: true, count: 2 }, { ok: true, count: 2 }],
  ["a result with no events", { ok: true, event: [] }, { ok: true }],
])("%s is the answer, and neither recorded nor published", async (_, outcome, answer) => {
  const change = await aChange();
  expect(await published(async () => expect(await run(change, outcome)).toEqual(answer))).toEqual(
    [],
  );
  expect(await entriesOf(change.actorId)).toEqual([]);
});

test("events are recorded in their order, with the form's key, and published once", async () => {
  const formKey = crypto.randomUUID();
  const change = await aChange(formKey);
  const event: GameEvent[] = [
    { details: { first: 1 } },
    { action: "booking.add", subject: "another", details: { formKey: "its own" } },
  ];
  const act = async () =>
    expect(await run(change, { ok: true, count: 1, event })).toEqual({ ok: true, count: 1 });
  expect(await published(act)).toEqual([change.gameId]);
  expect(await entriesOf(change.actorId)).toEqual([
    { action: "game.message", subject: change.gameId, details: { first: 1, formKey } },
    { action: "booking.add", subject: "another", details: { formKey: "its own" } },
  ]);
});

test("of several games those with an event are published", async () => {
  const { actorId } = await aChange();
  const gameIds = await Promise.all([aGame(db()), aGame(db()), aGame(db())]);
  const event = gameIds.slice(1).map((subject) => ({ subject, details: {} }));
  const change = { actorId, action: "game.edit" } as const;
  const lock = async () => gameIds;
  const act = () =>
    changeGames<Result, string[]>(db(), change, lock, async () => ({ ok: true, event }));
  expect((await published(act)).toSorted()).toEqual(gameIds.slice(1).toSorted());
  const subjects = (await entriesOf(actorId)).map(({ subject }) => subject);
  expect(subjects).toEqual(gameIds.slice(1));
});

test("a form that is sent again finds what it has recorded of this subject", async () => {
  const change = await aChange(crypto.randomUUID());
  await run(change, { ok: true, event: { details: { sent: 1 } } });
  await run({ ...change, formKey: undefined }, { ok: true, event: { details: { sent: 2 } } });
  const found: unknown[] = [];
  const other = { ...change, gameId: await aGame(db()) };
  for (const sent of [change, other, { ...change, formKey: undefined }]) {
    await changeGame<Result>(db(), sent, async (_tx, _game, { earlier }) => {
      found.push(earlier.map((details) => details.sent));
      return { ok: true };
    });
  }
  expect(found).toEqual([[1], [], []]);
});

test.each(["no id", "00000000-0000-4000-8000-000000000000"])(
  "no game has the id %s",
  async (gameId) => {
    const never = () => expect.unreachable();
    const change = { ...(await aChange()), gameId };
    expect(await changeGame<Result>(db(), change, never)).toEqual({
      ok: false,
      reason: "not-found",
    });
  },
);

test("a change locks the account of its actor, then the game", () =>
  expectLockOrder(db(), async () => {
    const change = await aChange();
    const locks = [account(change.actorId), game(change.gameId)];
    return { locks, run: () => run(change, { ok: true, event: { details: {} } }) };
  }));
