import { sql } from "kysely";
import { centsFromNumeric, numericFromCents } from "#app/platform/money.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import type { PaidObject, PaymentScenario } from "./payment-scenarios.ts";

/**
 * Compares the database with scenarios of which every event was delivered: a line for each thing that is
 * missing, unexpected or of the wrong size. Other players' wallets are none of its business.
 */
export async function paymentDifferences(
  db: Db | Tx,
  scenarios: PaymentScenario[],
): Promise<string[]> {
  const expected = new Set(scenarios.flatMap(expectedFacts));
  const found = await findFacts(db, scenarios);
  const isFound = new Set(found);
  const isNew = new Set(expected);
  const paid = new Map(
    scenarios.flatMap((scenario) => scenario.paid.map((object) => [object.id, object])),
  );
  return [
    ...[...expected].filter((fact) => !isFound.has(fact)).map((fact) => `missing: ${fact}`),
    // The second of two equal ones is unexpected too.
    ...found.filter((fact) => !isNew.delete(fact)).map((fact) => `unexpected: ${fact}`),
    ...(await wrongReturns(db, paid)),
    ...(await unbookedReturns(db)),
  ];
}

function expectedFacts({ events, paid, subscription }: PaymentScenario): string[] {
  return [
    ...events.map(({ id }) => `event ${id} settled`),
    ...paid.flatMap(({ id, userId, ...object }) => {
      const credits = numericFromCents(object.creditsCents);
      return [
        `payment ${id} of ${numericFromCents(object.amountCents)} for ${credits} by ${userId}`,
        `entry payment:${id} of ${credits} to ${userId}`,
      ];
    }),
    ...(subscription ? [subscriptionFact(subscription)] : []),
  ];
}

const subscriptionFact = (state: { id: string; status: string; isEnding: boolean }) =>
  `subscription ${state.id} ${state.status}${state.isEnding ? ", ending" : ""}`;

async function findFacts(db: Db | Tx, scenarios: PaymentScenario[]): Promise<string[]> {
  const events = await db.selectFrom("stripe_events").select(["id", "status", "reason"]).execute();
  const payments = await db.selectFrom("payments").selectAll().execute();
  const players = [...new Set(scenarios.flatMap(({ paid }) => paid.map(({ userId }) => userId)))];
  const entries = await db
    .selectFrom("wallet_transactions")
    .select(["business_key", "amount_eur", "user_id"])
    .where("type", "=", "topup")
    .where("user_id", "=", sql<string>`any(${players}::uuid[])`)
    .execute();
  const subscriptions = await db
    .selectFrom("subscriptions")
    .select(["id", "status", "cancel_at_period_end as isEnding"])
    .execute();
  return [
    ...events.map(({ id, status, reason }) =>
      status === "parked" ? `event ${id} unmatched: ${reason}` : `event ${id} settled`,
    ),
    ...payments.map(
      (row) =>
        `payment ${row.stripe_object_id} of ${row.amount_eur} for ${row.credits_eur} by ${row.user_id}`,
    ),
    ...entries.map((row) => `entry ${row.business_key} of ${row.amount_eur} to ${row.user_id}`),
    ...subscriptions.map(subscriptionFact),
  ];
}

/**
 * Credits go back in proportion to the money. Only what has lapsed unspent cannot be taken, so that
 * a month may have given back less.
 */
async function wrongReturns(db: Db | Tx, paid: Map<string, PaidObject>): Promise<string[]> {
  const { rows } = await sql<{ id: string; taken: string; lapsed: string }>`
    select stripe_object_id as id, taken_back_eur as taken, (
      select coalesce(-sum(part.amount_eur), 0) from credit_lots lot
      join lot_entries part on part.lot_id = lot.id
      join wallet_transactions entry on entry.id = part.transaction_id and entry.type = 'expiry'
      where lot.payment_id = payments.id
    ) as lapsed
    from payments`.execute(db);
  return rows.flatMap(({ id, ...row }) => {
    const object = paid.get(id);
    if (!object) return [];
    const { amountCents, creditsCents, returnedCents } = object;
    const due = Math.floor((creditsCents * returnedCents) / amountCents);
    const [taken, lapsed] = [centsFromNumeric(row.taken), centsFromNumeric(row.lapsed)];
    const isRight = taken === due || (taken < due && taken + lapsed >= creditsCents);
    return isRight ? [] : [`payment ${id}: ${taken} taken back of ${due}, ${lapsed} lapsed`];
  });
}

/** What was taken back and is not owed has left the wallet, to the cent. */
async function unbookedReturns(db: Db | Tx): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select format('wallet %s: %s taken back, %s booked', user_id, taken, booked) as line
    from (
      select user_id, sum(taken_back_eur - owed_eur) as taken, (
        select coalesce(-sum(amount_eur), 0) from wallet_transactions entry
        where entry.user_id = payments.user_id and type in ('reversal', 'withdrawal')
      ) as booked
      from payments group by user_id
    ) as returns where taken <> booked`.execute(db);
  return rows.map(({ line }) => line);
}
