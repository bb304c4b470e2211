import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { addPlayer } from "#app/features/roster/add-player.server.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { projectRoot } from "#app/platform/root.server.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, ben, NOW } from "#test/fixtures.ts";

// What holds of payments by hand for every writer.
const database = useDatabase();
let ids: { booking: string; admin: string };
beforeEach(async () => {
  const { db, jobs } = database;
  const [gameId, playerId, actorId] = [await aGame(db), await ada(db), await ben(db)];
  const added = await addPlayer(db, jobs, { gameId, playerId, actorId, now: NOW });
  if (!added.ok) throw new Error(added.reason);
  ids = { booking: added.bookingId, admin: actorId };
});

/** Runs SQL in which {booking} and {admin} stand for the ids. */
const run = (statement: string) =>
  database.pool.query(
    statement.replace(/\{(\w+)\}/g, (_, key: keyof typeof ids) => `'${ids[key]}'`),
  );
const pay = (amount = "10", method = "Cash", columns = "", values = "") =>
  `insert into cash_payments (id, booking_id, amount_eur, method, noted_by, noted_at${columns})
   values (gen_random_uuid(), {booking}, ${amount}, '${method}', {admin}, now()${values})`;
const undo = `update cash_payments set undone_kind = 'Mistake', undone_by = {admin},
  undone_at = now() where booking_id = {booking} and undone_at is null`;

test.each([
  ["a second live payment", `${pay()}; ${pay()}`, "cash_payments_one_live"],
  ["less than nothing", pay("-0.01"), "amount_eur_check"],
  ["an unknown method", pay("10", "Gold"), "method_check"],
  ["undone by nobody", pay("10", "Cash", ", undone_at", ", now()"), "cash_payments_undone"],
  [
    "undone without a kind",
    pay("10", "Cash", ", undone_at, undone_by", ", now(), {admin}"),
    "cash_payments_undone",
  ],
  ["an unknown kind", `${pay()}; ${undo.replace("Mistake", "Lost")}`, "undone_kind_check"],
  [
    "another amount later",
    `${pay()}; update cash_payments set amount_eur = 9 where booking_id = {booking}`,
    "only undone",
  ],
  [
    "live again",
    `${pay()}; ${undo}; update cash_payments set undone_kind = null, undone_by = null,
      undone_at = null where booking_id = {booking}`,
    "only undone",
  ],
  [
    "kept and given back",
    `${pay()}; ${undo}; ${pay(
      "10",
      "Cash",
      ", kept_at, undone_kind, undone_by, undone_at",
      ", now(), 'GivenBack', {admin}, now()",
    )}`,
    "cash_payments_kept_or_undone",
  ],
  [
    "kept once it was undone",
    `${pay()}; ${undo}; update cash_payments set kept_at = now() where booking_id = {booking}`,
    "only undone",
  ],
  [
    "one that goes",
    `${pay()}; delete from cash_payments where booking_id = {booking}`,
    "only undone",
  ],
  ["a booking with one that goes", `${pay()}; delete from bookings where id = {booking}`, "fkey"],
])("rejected: %s", async (_, statement, reason) => {
  await expect(run(statement)).rejects.toThrow(reason);
});

test("a payment that was undone leaves room for another", async () => {
  await run(`${pay()}; ${undo}; ${pay()}; ${undo}; ${pay()}`);
  const { rows } = await run("select undone_kind from cash_payments where booking_id = {booking}");
  expect(rows.filter(({ undone_kind }) => undone_kind === null)).toHaveLength(1);
});

test("a payment of an amount that was not noted is one of 0", async () => {
  await expect(run(pay("0", "Other"))).resolves.toBeDefined();
});

test("a booking that was marked paid before amounts were noted gets a payment of 0", async () => {
  await run("update bookings set payment_status = 'Paid' where id = {booking}");
  await run(`insert into audit_log (actor, action, subject)
    values ({admin}, 'booking.mark-paid', {booking})`);
  const ofBooking = async () =>
    (await checkBooks(database.db)).differences.filter((line) => line.includes(ids.booking));
  expect(await ofBooking()).toEqual([`booking ${ids.booking}: marked paid, without a payment`]);
  const file = path.join(projectRoot, "db", "migrations", "024_cash_payments.sql");
  const backfill = /insert into cash_payments[^;]*;/.exec(readFileSync(file, "utf8"))![0];
  await run(backfill);
  const { rows } = await run(
    "select amount_eur, method, noted_by from cash_payments where booking_id = {booking}",
  );
  expect(rows).toEqual([{ amount_eur: "0.00", method: "Other", noted_by: ids.admin }]);
  expect(await ofBooking()).toEqual([]);
});
