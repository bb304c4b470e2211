import { expect, test } from "vitest";
import { useErasure, tracesOf } from "#test/erasure.ts";
import { signUpAndConfirm } from "#test/accounts.ts";
import { aGame, hoursLater, NOW } from "#test/fixtures.ts";
import { findViewerGames } from "#app/features/bookings/bookings.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { purgeFreeSessions } from "#app/features/seats/free-session.server.ts";

const scenario = useErasure();
const DAYS = 24;

async function joinFree(playerId: string) {
  const gameId = await aGame(scenario.app.db, { startsIn: 48, is_first_session_free: true });
  return joinGame(scenario.app.db, scenario.app.jobs, { gameId, playerId, now: NOW });
}

const signUp = (email: string, now = NOW) => signUpAndConfirm(scenario.app, email, now);

/** An address whose account has had its free session, or not, and is deleted. */
async function goneAddress({ hasPlayed }: { hasPlayed: boolean }) {
  const who = await scenario.player({ credits: 0 });
  if (hasPlayed) await joinFree(who.userId);
  await scenario.remove(who);
  return who.email;
}

async function hasUsedFreeSession(playerId: string): Promise<boolean> {
  return (await findViewerGames(scenario.app.db, { playerId, now: NOW })).hasUsedFreeSession;
}

test("an address that signs up again gets no second free session", async () => {
  const email = await goneAddress({ hasPlayed: true });
  const again = await signUp(email);
  expect(await hasUsedFreeSession(again)).toBe(true);
  expect(await joinFree(again)).toMatchObject({ reason: "not-enough-credits", priceCents: 1_000 });
});

test("an unused free session is available after signing up again", async () => {
  const again = await signUp(await goneAddress({ hasPlayed: false }));
  expect(await hasUsedFreeSession(again)).toBe(false);
  expect(await joinFree(again)).toMatchObject({ ok: true, priceCents: 0 });
});

test("a used free session is kept for a year, as a keyed hash", async () => {
  const email = await goneAddress({ hasPlayed: true });
  expect(await tracesOf(scenario.app.db, email)).toEqual([]);
  const memory = scenario.app.db.selectFrom("former_free_sessions").selectAll();
  const hash = scenario.app.accounts.hashEmail(email);
  const find = () => memory.where("address_hash", "=", hash).execute();
  expect(await find()).toHaveLength(1);
  await purgeFreeSessions(scenario.app.db, hoursLater(364 * DAYS));
  expect(await find()).toHaveLength(1);
  expect(await hasUsedFreeSession(await signUp(email, hoursLater(366 * DAYS)))).toBe(false);
  await purgeFreeSessions(scenario.app.db, hoursLater(366 * DAYS));
  expect(await find()).toEqual([]);
});

test("other case or another tag is the same person", async () => {
  const email = await goneAddress({ hasPlayed: true });
  const again = await signUp(email.replace("@", "+again@"));
  expect(await hasUsedFreeSession(again)).toBe(true);
  const { hashEmail } = scenario.app.accounts;
  expect(hashEmail("Ada@Uni.example")).toBe(hashEmail("ada@uni.example"));
});
