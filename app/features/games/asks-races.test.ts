import { beforeAll, describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { withoutLocks } from "#test/disable-locks.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { aVenue, ben, NOW } from "#test/fixtures.ts";
import { aPlan } from "#test/games.ts";
import { isLong } from "#test/long.ts";
import { editGame } from "#app/features/organise/edit-game.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { findPlannedGame } from "./admin-games.server.ts";
import { createGames } from "./create-games.server.ts";
import { publishGame } from "#app/features/organise/publish-game.server.ts";
import type { GamePlan } from "./plan.ts";

const database = useDatabase(20);
withoutTimeouts(database);
let actorId: string;
beforeAll(async () => {
  actorId = await ben(database.db);
});

type Doing = (db: Db) => Promise<{ ok: boolean }>;
const HALL = { startTime: "19:00", endTime: "20:30" };
const OTHERS = { startTime: "20:00", endTime: "21:30" };

const create =
  (venueId: string, hours: Partial<GamePlan>): Doing =>
  (db) => {
    const plan = aPlan(venueId, hours);
    return createGames(db, { plan, weeks: 1, status: "Published", actorId, now: NOW });
  };

async function aPlanned(
  venueId: string,
  plan: Partial<GamePlan>,
  status: "Draft" | "Published" = "Published",
) {
  const games = { plan: aPlan(venueId, plan), weeks: 1, status, actorId, confirmed: true } as const;
  const made = await createGames(database.db, { ...games, now: NOW });
  if (!made.ok) throw new Error(made.reason);
  return made.gameIds[0]!;
}

/** Moves a game of another day, or of another venue, onto the hour. */
async function move(venueId: string, from: Partial<GamePlan>, to: Partial<GamePlan>) {
  const gameId = await aPlanned(from.venueId ?? venueId, from);
  const { plan, version } = (await findPlannedGame(database.db, gameId))!;
  const form = { gameId, actorId, version, withFollowing: false, now: NOW };
  const edit = { ...form, plan: { ...plan, date: aPlan(venueId).date, venueId, ...to } };
  return (db: Db) => editGame(db, database.jobs, edit);
}

const RACES: [string, (venueId: string) => Promise<[Doing, Doing]>][] = [
  ["two new games", async (venueId) => [create(venueId, HALL), create(venueId, OTHERS)]],
  [
    "a new game and one that moves there",
    async (venueId) => [
      create(venueId, HALL),
      await move(venueId, { ...OTHERS, date: "2026-12-05" }, OTHERS),
    ],
  ],
  [
    "two games that move there, one from another venue",
    async (venueId) => [
      await move(venueId, { ...HALL, date: "2026-12-05" }, HALL),
      await move(venueId, { ...OTHERS, venueId: await aVenue(database.db) }, OTHERS),
    ],
  ],
];

/** Which of the two passed unasked, and what the log says was done. */
async function race(both: (typeof RACES)[number][1], db: Db) {
  const doings = await both(await aVenue(database.db));
  const before = await listActions();
  const results = await Promise.all(doings.map((doing) => doing(db)));
  const recorded = (await listActions()).slice(before.length);
  return { passed: results.filter(({ ok }) => ok).length, recorded };
}

async function listActions() {
  const entries = database.db.selectFrom("audit_log").select("action").orderBy("id");
  return (await entries.execute()).map(({ action }) => action);
}

describe.each(RACES)("of %s, planned for one hour at once", (_, both) => {
  test("one passes unasked, and the log has it alone", async () => {
    for (let round = 0; round < (isLong ? 200 : 10); round += 1) {
      const { passed, recorded } = await race(both, database.db);
      expect([passed, recorded]).toEqual([1, [expect.stringMatching(/^game\.(create|edit)$/)]]);
    }
  });

  test("without the lock of the venue both do", async () => {
    const unlocked = database.db.withPlugin(withoutLocks);
    for (let round = 0; round < 300; round += 1) {
      const { passed, recorded } = await race(both, unlocked);
      expect(recorded).toHaveLength(passed);
      if (passed === 2) return;
    }
    expect.fail("one was asked in 300 rounds without the lock");
  });
});

// A draft is named as any other game, so that nobody has to wait for its publication.
test("a draft holds its hour also against those who publish it at that moment", async () => {
  for (let round = 0; round < (isLong ? 200 : 10); round += 1) {
    const venueId = await aVenue(database.db);
    const gameId = await aPlanned(venueId, HALL, "Draft");
    const publish = { gameId, actorId, withFollowing: false, now: NOW };
    const [published, created] = await Promise.all([
      publishGame(database.db, publish),
      create(venueId, OTHERS)(database.db),
    ]);
    expect([published, created.ok]).toEqual([{ ok: true, published: 1 }, false]);
    expect((await listActions()).at(-1)).toBe("game.publish");
  }
});

test("who confirms that a venue is booked twice is in the log with that game", async () => {
  const venueId = await aVenue(database.db);
  await aPlanned(venueId, HALL);
  const games = { plan: aPlan(venueId, OTHERS), weeks: 1, status: "Published", actorId } as const;
  const asked = await createGames(database.db, { ...games, now: NOW });
  const confirmed = "key" in asked ? asked.key : "";
  const made = await createGames(database.db, { ...games, confirmed, now: NOW });
  const entries = database.db.selectFrom("audit_log").select(["action", "subject", "actor"]);
  const [newest] = await entries.orderBy("id", "desc").limit(1).execute();
  expect(newest).toEqual({
    ...{ action: "game.create", actor: actorId, subject: made.ok && made.gameIds[0] },
  });
});
