import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { projectRoot } from "#app/platform/root.server.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, aPlayer, NOW } from "#test/fixtures.ts";

const database = useDatabase();
const run = async (text: string, values: unknown[] = []) =>
  (await database.pool.query(text, values)).rows;
const FILE = path.join(projectRoot, "db", "migrations", "043_terms_of_cancellation.sql");

const SOLD = [{ until: 24, feeCents: 99 }];

async function aBooking() {
  const { db, jobs } = database;
  const [gameId, playerId] = [await aGame(db), await ada(db)];
  const joined = await joinGame(db, jobs, { gameId, playerId, now: NOW });
  if (!joined.ok) throw new Error(joined.reason);
  return joined.bookingId;
}
const termsOf = async (id: string) =>
  (await run("select terms from bookings where id = $1", [id]))[0].terms;
const update = (id: string, columns: string) =>
  run(`update bookings set ${columns} where id = $1`, [id]);

describe("a booking's terms", () => {
  test("are the steps that it was sold under", async () => {
    expect(await termsOf(await aBooking())).toEqual(SOLD);
  });

  test.each(["refund_hours = 0", "refund_fee_eur = 0", "refund_hours = 2, refund_fee_eur = 3"])(
    "are the two numbers once plain SQL has set %s",
    async (columns) => {
      const id = await aBooking();
      await update(id, columns);
      expect(await termsOf(id)).toBeNull();
    },
  );

  test.each([
    "refund_hours = 24, refund_fee_eur = 0.99",
    "cash_promised = false",
    "payment_status = 'Unpaid'",
  ])("stay where an update says nothing else of them (%s)", async (columns) => {
    const id = await aBooking();
    await update(id, columns);
    expect(await termsOf(id)).toEqual(SOLD);
  });

  test("are the new steps where they are written with the two numbers", async () => {
    const id = await aBooking();
    const steps = [{ until: 2, feeCents: 0 }];
    await update(id, `refund_hours = 2, refund_fee_eur = 0, terms = '${JSON.stringify(steps)}'`);
    expect(await termsOf(id)).toEqual(steps);
  });

  test.each(["{}", "[]", "[{}]", '[{"until": 24}]', '[{"until": "24", "feeCents": 99}]', "[1]"])(
    "cannot be %s",
    async (json) => {
      const id = await aBooking();
      await expect(update(id, `terms = '${json}'`)).rejects.toThrow("bookings_terms");
    },
  );
  test.each(['[{"until": -1, "feeCents": 99}]', '[{"until": 24, "feeCents": -1}]'])(
    "have no number below 0 (%s)",
    async (json) => {
      const id = await aBooking();
      await expect(update(id, `terms = '${json}'`)).rejects.toThrow("bookings_terms");
    },
  );
});

test("bookings of earlier versions get the steps that their two numbers are", async () => {
  const [gameId, playerId] = [await aGame(database.db), await aPlayer(database.db)];
  const client = await database.pool.connect();
  try {
    await client.query("begin");
    await client.query(`drop trigger bookings_drop_terms on bookings; drop function drop_terms;
      alter table bookings drop column terms`);
    await client.query(
      `insert into bookings (user_id, game_id, payment_status, refund_hours, refund_fee_eur)
        select $1, $2, 'Cancelled', hours, fee
        from (values (24, 0.99), (0, 0), (24, 0), (48, 2.5)) as sale (hours, fee)`,
      [playerId, gameId],
    );
    await client.query(readFileSync(FILE, "utf8"));
    const { rows } = await client.query(
      "select terms from bookings where game_id = $1 order by refund_hours, refund_fee_eur",
      [gameId],
    );
    expect(rows.map(({ terms }) => terms)).toEqual([
      [{ until: 0, feeCents: 0 }],
      [{ until: 24, feeCents: 0 }],
      SOLD,
      [{ until: 48, feeCents: 250 }],
    ]);
  } finally {
    await client.query("rollback");
    client.release();
  }
});
