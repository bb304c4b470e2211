import { describe, expect, test } from "vitest";
import { useErasure, tracesOf } from "#test/erasure.ts";
import { turnOnFeed } from "#app/features/bookings/calendar-feeds.server.ts";
import { withoutLocks } from "#test/disable-locks.ts";
import { aGame, NOW } from "#test/fixtures.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { makeAdmin } from "#app/features/accounts/account-status.server.ts";
import { listAttendees } from "#app/features/bookings/bookings.server.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { editProfile } from "#app/features/players/profiles.server.ts";
import { shareCard } from "#app/features/players/cards.server.ts";
import { claimReward } from "#app/features/rewards/rewards.server.ts";

const scenario = useErasure();
const freeGame = () => aGame(scenario.app.db, { startsIn: 48, is_first_session_free: true });

/** Does something in the middle of a deletion, which then commits. Answers how that ended. */
async function whileGoing(who: { userId: string; email: string }, action: () => Promise<unknown>) {
  const { outcome, meanwhile } = waiting(action);
  expect(await scenario.remove(who, { deleteTickets: meanwhile })).toEqual({ ok: true });
  return outcome;
}

/** The same at its end, when everything is written. */
async function whileCommitting(
  who: { userId: string; email: string },
  action: () => Promise<unknown>,
) {
  const { outcome, meanwhile } = waiting(action);
  const enqueueEmails: Jobs["enqueueEmails"] = async (...emails) => {
    await meanwhile();
    return scenario.app.jobs.enqueueEmails(...emails);
  };
  const jobs = { ...scenario.app.jobs, enqueueEmails };
  expect(await scenario.remove(who, { jobs })).toEqual({ ok: true });
  return outcome;
}

function waiting(action: () => Promise<unknown>) {
  const outcome = Promise.withResolvers<unknown>();
  return {
    outcome: outcome.promise,
    async meanwhile() {
      action().then(outcome.resolve, (error: Error) => outcome.resolve(error.message));
      await scenario.untilSomebodyWaits();
    },
  };
}

describe("a free game joined during a deletion", () => {
  const joinFree = async (db: Db) => {
    const [who, gameId] = [await scenario.player({ credits: 0 }), await freeGame()];
    const join = () => joinGame(db, scenario.app.jobs, { gameId, playerId: who.userId, now: NOW });
    const result = await whileGoing(who, join);
    return { result, attendees: await listAttendees(scenario.app.db, gameId) };
  };

  test("is rejected, so that no seat is orphaned", async () => {
    expect(await joinFree(scenario.app.db)).toEqual({
      result: { ok: false, reason: "account-gone" },
      attendees: [],
    });
    expect((await checkBooks(scenario.app.db)).differences).toEqual([]);
  });

  test("keeps its seat where the join does not wait for the wallet", async () => {
    const { result, attendees } = await joinFree(scenario.app.db.withPlugin(withoutLocks));
    expect(result).toMatchObject({ ok: true });
    expect(attendees).toMatchObject([{ firstName: "Deleted" }]);
  });

  test("is rejected where it costs credits, which the deletion removed", async () => {
    const [who, gameId] = [await scenario.player(), await aGame(scenario.app.db, { startsIn: 48 })];
    const join = () =>
      joinGame(scenario.app.db, scenario.app.jobs, { gameId, playerId: who.userId, now: NOW });
    expect(await whileGoing(who, join)).toMatchObject({ reason: "not-enough-credits" });
    expect(await listAttendees(scenario.app.db, gameId)).toEqual([]);
  });
});

test("a reward claimed during a deletion is rejected", async () => {
  const who = await scenario.player({ credits: 0 });
  const claim = () => claimReward(scenario.app.db, { playerId: who.userId, now: NOW });
  expect(await whileGoing(who, claim)).toEqual({ ok: false, reason: "account-gone" });
});

describe("the admin role granted by command during a deletion", () => {
  const give = async (db: Db) => {
    const who = await scenario.player({ credits: 0 });
    const result = await whileCommitting(who, () => makeAdmin(db, who.email, "command"));
    const roles = scenario.app.db.selectFrom("user_roles").select("role");
    return { result, roles: await roles.where("user_id", "=", who.userId).execute() };
  };

  test("is rejected", async () => {
    const failed = { ok: false, reason: "gone" };
    expect(await give(scenario.app.db)).toEqual({ result: failed, roles: [] });
  });

  test("would go to the deleted account without the lock", async () => {
    const { roles } = await give(scenario.app.db.withPlugin(withoutLocks));
    expect(roles).toEqual([{ role: "admin" }]);
  });
});

const INPUT = {
  firstName: "Zyxwyn",
  lastName: "Qwfpgj",
  dateOfBirth: "2001-02-28",
  position: null,
  nationality: null,
  isDownToPlay: true,
  sportsInterests: [],
};
type Action = (userId: string) => Promise<unknown>;

describe("a write during a deletion does not restore the person:", () => {
  test.each<[string, Action]>([
    ["a profile", (userId) => editProfile(scenario.app.db, userId, INPUT)],
    ["a shared card", (userId) => shareCard(scenario.app.db, userId)],
    ["a calendar", (userId) => turnOnFeed(scenario.app.db, userId)],
    [
      "a message",
      (user_id) =>
        scenario.app.db
          .insertInto("support_messages")
          .values({ user_id, subject: "Zyxwyn", message: "Qwfpgj" })
          .execute(),
    ],
    [
      "a choice of notifications",
      (userId) =>
        scenario.app.db
          .insertInto("notification_settings")
          .values({ user_id: userId, kind: "soon", email: false })
          .execute(),
    ],
    [
      "a review",
      (user_id) =>
        scenario.app.db
          .insertInto("reviews")
          .values({ user_id, rating: 5, comment: "Qwfpgj" })
          .execute(),
    ],
  ])("%s", async (_, entry) => {
    const who = await scenario.player({ credits: 0 });
    expect(await whileGoing(who, () => entry(who.userId))).toBe("this account is deleted");
    expect(await tracesOf(scenario.app.db, "Zyxwyn", "Qwfpgj")).toEqual([]);
    for (const table of ["shared_cards", "calendar_feeds"] as const) {
      const tokens = scenario.app.db.selectFrom(table).select("token");
      expect(await tokens.where("user_id", "=", who.userId).execute()).toEqual([]);
    }
  });
});
