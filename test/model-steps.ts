import type fc from "fast-check";
import { expect } from "vitest";
import { checkBooks } from "#app/features/bookings/check-books.server.ts";
import type { SentEvent } from "#app/routes/demo/stripe-objects.ts";
import { liveIn, type Model, type ModelWithdrawal } from "./model-state.ts";
import type { TestDatabase } from "./db.ts";
import { heldIn } from "./waitlist-model.ts";
import type { Stated } from "./withdrawals.ts";

export interface Real {
  players: string[];
  games: string[];
  /** As the model has them. */
  withdrawals: Map<ModelWithdrawal, Stated & { refunded: SentEvent }>;
}
export type Step = fc.AsyncCommand<Model, Real>;
type Action = (model: Model, real: Real) => Promise<void>;

export function agree(result: unknown, expected: unknown) {
  expect(result).toEqual(expected);
}

/** A step: what the model expects, what the database does, and that they agree. */
export function stepsOf(database: TestDatabase, { checksBooks }: { checksBooks: boolean }) {
  return (name: string, action: Action): Step => ({
    check: () => true,
    toString: () => name,
    async run(model, real) {
      await action(model, real);
      if (checksBooks) await expectRightBooks(database);
      await compare(database, model, real);
    },
  });
}

export async function expectRightBooks({ db }: Pick<TestDatabase, "db">) {
  const { differences } = await checkBooks(db);
  expect(differences).toEqual([]);
}

async function compare({ pool }: TestDatabase, model: Model, real: Real) {
  const { rows: wallets } = await pool.query(
    `select (wallet_balance_eur * 100)::int as cents, (wallet_debt_eur * 100)::int as "debtCents"
     from unnest($1::uuid[]) with ordinality p (id, n) join profiles on user_id = p.id order by n`,
    [real.players],
  );
  expect(wallets).toEqual(model.players.map(({ cents, debtCents }) => ({ cents, debtCents })));
  expect(Math.min(...model.players.map((p) => p.cents))).toBeGreaterThanOrEqual(0);
  const { rows: games } = await pool.query(
    `select seats_taken as taken, spots_held as held, max_players as spots
     from unnest($1::uuid[]) with ordinality g (id, n) join games using (id) order by n`,
    [real.games],
  );
  expect(games).toEqual(
    model.games.map(({ spots }, g) => ({
      ...{ spots, taken: liveIn(model, g).length, held: heldIn(model, g) },
    })),
  );
  for (const { taken, held, spots } of games) expect(taken + held).toBeLessThanOrEqual(spots);
  await compareStatuses(pool, model, real);
}

async function compareStatuses(pool: TestDatabase["pool"], model: Model, real: Real) {
  const { rows } = await pool.query<{ id: string; status: string }>(
    `select id, payment_status as status from bookings where game_id = any($1)
     union all select id, status from waitlist_entries where game_id = any($1)`,
    [real.games],
  );
  const expected = [...model.bookings, ...model.places].map(({ id, status }) => [id, status]);
  expect(new Map(rows.map(({ id, status }) => [id, status]))).toEqual(new Map(expected as never));
  // Nobody is refunded for a spot that nobody took: at most once for each join since the first.
  const { rows: refunded } = await pool.query(
    `select from bookings late where game_id = any($1) and late_refund_eur is not null
     group by game_id having count(*) filter (where payment_status = 'Refunded') >
       (select count(*) from bookings b where b.game_id = late.game_id
         and b.created_at >= min(late.cancelled_at))
       and (select status from games where games.id = game_id) <> 'Cancelled'`,
    [real.games],
  );
  expect(refunded).toEqual([]);
}
