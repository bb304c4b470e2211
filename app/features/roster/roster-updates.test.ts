import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { useDatabase } from "#test/db.ts";
import { ada, ben, hoursLater, NOW } from "#test/fixtures.ts";
import { teamsOf } from "#test/teams.ts";
import { listenTo } from "#app/platform/postgres/listener.server.ts";
import { addPlayer } from "./add-player.server.ts";
import { markPaid, undoPayment } from "./cash-payments.server.ts";
import { changeBibs, removeTeams } from "#app/features/teams/change-teams.server.ts";
import { messagePlayers } from "#app/features/organise/message-players.server.ts";
import { recordResult, removeResult } from "#app/features/teams/record-result.server.ts";
import { excuseNoShow, unexcuseNoShow } from "./no-shows.server.ts";
import { checkInRest, markAttendance, removePlayer } from "./roster.server.ts";
import { setCollected, setKept } from "./cash-decisions.server.ts";

const database = useDatabase();
const teams = teamsOf(database);

/** Ada on the list, unpaid, among others in a game that has begun, and what organisers do there. */
async function aRoster() {
  const { db, jobs } = database;
  const { gameId, bookings } = await teams.aGameOf(3, { startsIn: 1 });
  const [playerId, actorId] = [await ada(db), await ben(db)];
  const added = await addPlayer(db, jobs, { gameId, playerId, actorId, now: NOW });
  if (!added.ok) throw new Error(added.reason);
  const { bookingId } = added;
  const now = hoursLater(2);
  const [cashPaymentId, laterCashId] = [randomUUID(), randomUUID()];
  const seat = { gameId, bookingId, actorId, now };
  const version = () => teams.version(gameId);
  const change = async () => ({ gameId, actorId, version: await version() });
  const score = { firstScore: 2, secondScore: 1, players: [] };
  const teamsVersion = 0;
  const paid = { amountCents: 500, method: "Cash", cashPaymentId } as const;
  const message = { messageId: randomUUID(), subject: "Bibs", message: "Bring a light shirt." };
  const mark = { bookingId, playerId, actorId };
  // In this order: some need what others did before.
  return {
    gameId,
    writes: {
      "not collected": () => setCollected(db, { ...seat, isCollected: false }),
      collected: () => setCollected(db, { ...seat, isCollected: true }),
      paid: () => markPaid(db, { ...seat, ...paid }),
      "unpaid again": () => undoPayment(db, { ...seat, cashPaymentId, kind: "Mistake" }),
      "a mark": () => markAttendance(db, { ...seat, from: null, to: "CheckedIn" }),
      "a check-in of the rest": () =>
        checkInRest(db, { ...seat, bookingIds: [...bookings, bookingId] }),
      "a message": () => messagePlayers(db, jobs, { ...message, gameId, actorId, now }),
      "a result": () => recordResult(db, { ...seat, ...score, version: 0, teamsVersion }),
      "a result taken back": () => removeResult(db, { gameId, actorId, version: 1 }),
      "teams made": () => teams.make(gameId),
      "a player in the other team": async () =>
        teams.move(gameId, bookingId, 3 - ((await teams.teamOf(gameId, bookingId)) ?? 0)),
      "other bibs": async () => changeBibs(db, { ...(await change()), bibs: ["Red", "None"] }),
      "teams published": () => teams.publish(gameId),
      "teams removed": async () => removeTeams(db, await change()),
      "paid by hand again": () => markPaid(db, { ...seat, ...paid, cashPaymentId: laterCashId }),
      "a no-show": () => markAttendance(db, { ...seat, from: "CheckedIn", to: "NoShow" }),
      "a no-show excused": () => excuseNoShow(db, { ...mark, note: "Ill", now }),
      "an excuse taken back": () => unexcuseNoShow(db, mark),
      "a player removed": () => removePlayer(db, jobs, { ...seat, withRefund: false }),
      "cash kept": () => setKept(db, { ...seat, cashPaymentId: laterCashId, isKept: true }),
      "cash given back": () =>
        undoPayment(db, { ...seat, cashPaymentId: laterCashId, kind: "GivenBack" }),
    },
  };
}

test("whatever an organiser changes on a roster updates pages that follow the game", async () => {
  const { gameId, writes } = await aRoster();
  const heard: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const listener = listenTo(database.pool, {
    onListening: resolve,
    onPayload: { live_games: (payload) => void heard.push(payload) },
  });
  await promise;
  for (const [what, write] of Object.entries(writes)) {
    heard.length = 0;
    expect(await write(), what).toMatchObject({ ok: true });
    await vi.waitFor(() => expect(heard, what).toEqual([gameId]));
  }
  await listener.close();
});
