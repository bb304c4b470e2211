import { expect, test } from "vitest";
import { useErasure } from "#test/erasure.ts";
import { aGame, aPlayer, bookingsOf, NOW } from "#test/fixtures.ts";
import { addPlayer } from "#app/features/bookings/add-player.server.ts";
import { checkBooks } from "#app/features/bookings/check-books.server.ts";
import { listFormerPlayers } from "#app/features/bookings/former-players.server.ts";
import { listRoster } from "#app/features/bookings/roster.server.ts";

const scenario = useErasure();

test.each([
  ["to come, which the player leaves", 48, "Cancelled"],
  ["that is over", -48, "Paid"],
])("what a deleted player paid by hand for a game %s stays, without the name", async (...row) => {
  const [, startsIn, status] = row;
  const { db, jobs } = scenario.app;
  const who = await scenario.player();
  const [gameId, actorId] = [await aGame(db, { startsIn }), await aPlayer(db)];
  const payment = { by: "cash", amountCents: 750, method: "Cash" } as const;
  await addPlayer(db, jobs, { gameId, playerId: who.userId, actorId, payment, now: NOW });
  expect(await scenario.remove(who)).toEqual({ ok: true });
  const [booking] = await bookingsOf(db, gameId);
  expect(booking?.payment_status).toBe(status);
  const rows = db.selectFrom("cash_payments").selectAll().where("booking_id", "=", booking!.id);
  expect(await rows.execute()).toMatchObject([{ amount_eur: "7.50", undone_at: null }]);
  const listed = [
    ...(await listFormerPlayers(db, gameId)),
    ...(await listRoster(db, { gameId, now: NOW })),
  ];
  expect(listed).toMatchObject([{ firstName: "Deleted", lastName: "player", phone: null }]);
  expect((await checkBooks(db)).differences).toEqual([]);
});
