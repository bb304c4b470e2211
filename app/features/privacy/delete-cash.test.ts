import { expect, test } from "vitest";
import { mailJobs } from "#test/notices.ts";
import { useErasure } from "#test/erasure.ts";
import { aGame, aPlayer, bookingsOf, NOW } from "#test/fixtures.ts";
import { addPlayer } from "#app/features/roster/add-player.server.ts";
import { listLiveCash, undoPayment } from "#app/features/roster/cash-payments.server.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { listFormerPlayers } from "#app/features/roster/former-players.server.ts";
import { sumPendingCash } from "#app/features/bookings/pending-cash.server.ts";
import { listRoster } from "#app/features/roster/roster.server.ts";

import { setKept } from "#app/features/roster/cash-decisions.server.ts";
import type { Mail } from "#app/platform/mail.server.ts";

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

test("an organiser settles what a deleted player paid, and the email says what it was", async () => {
  const { db, jobs } = scenario.app;
  const who = await scenario.player();
  const [gameId, actorId] = [await aGame(db), await aPlayer(db)];
  const payment = { by: "cash", amountCents: 750, method: "Cash" } as const;
  const added = await addPlayer(db, jobs, {
    ...{ gameId, playerId: who.userId, actorId, payment, now: NOW },
  });
  if (!added.ok) throw new Error(added.reason);
  await scenario.remove(who);
  const { rows } = await scenario.database.pool.query(
    "select data from pgboss.job where name = 'mail.account-deleted' and data->>'userId' = $1",
    [who.userId],
  );
  const sent: Mail[] = [];
  const mailer = async (mail: Mail) => void sent.push(mail);
  await mailJobs({ ...scenario.app, mailer })["account-deleted"](rows[0].data);
  expect(sent[0]?.text).toContain("You paid 7.50\u00a0€ by hand for games");
  expect(await sumPendingCash(db, { gameId })).toBe(750);
  const [former] = await listFormerPlayers(db, gameId);
  expect(former).toMatchObject({ firstName: "Deleted", lastName: "player", phone: null });
  const [cash] = (await listLiveCash(db, gameId)).values();
  const { bookingId } = added;
  const settling = { gameId, bookingId, cashPaymentId: cash!.cashPaymentId, actorId, now: NOW };
  expect(await setKept(db, { ...settling, isKept: true })).toEqual({ ok: true });
  expect(await undoPayment(db, { ...settling, kind: "GivenBack" })).toEqual({
    ok: true,
    isIn: false,
  });
  expect(await sumPendingCash(db, { gameId })).toBe(0);
});
