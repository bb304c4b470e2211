import fc from "fast-check";
import { expect } from "vitest";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { WEEKLY_METRICS } from "#app/features/reports/metrics.server.ts";
import { keepWeeks } from "#app/platform/weekly-metrics.server.ts";
import type { SentEvent } from "#app/routes/demo/stripe-objects.ts";
import { expectProperties } from "./booking-properties.ts";
import { type EntryRow, type PayingRow, readRows, type Rows } from "./booking-rows.ts";
import { liveIn, type Model, type ModelWithdrawal } from "./model-state.ts";
import type { TestDatabase } from "./db.ts";
import { hoursLater } from "./fixtures.ts";
import { heldIn } from "./waitlist-model.ts";
import type { singlePurchase } from "./payments.ts";
import type { Stated } from "./withdrawals.ts";

export interface Real {
  players: string[];
  games: string[];
  /** The model's withdrawals, with what Stripe has. */
  withdrawals: Map<ModelWithdrawal, Stated & { refunded: SentEvent }>;
  /** Payments that a bank has yet to confirm. */
  banks: { player: number; purchase: ReturnType<typeof singlePurchase> }[];
  /** Rows before the step. */
  rows: Rows;
  /** The last one first. */
  forms: Form[];
}

/** One that did something, which may be sent again: a double click, a page gone back to, a proxy. */
interface Form {
  send(): Promise<unknown>;
  /** The first result, or why it is too late; it is never done a second time. */
  expected(): unknown;
  /** Nobody can know it any more, as after its account was deleted. */
  isGone?(): boolean;
}

export type Step = fc.AsyncCommand<Model, Real>;
/** It may return what has to be true of the rows afterwards. */
type Action = (model: Model, real: Real) => Promise<void | ((rows: Rows) => void)>;

export const player = fc.nat({ max: 5 });
export const game = fc.nat({ max: 3 });
export const nth = fc.nat({ max: 20 });
export const mostly = fc.constantFrom(true, true, true, false);

export function agree(result: unknown, expected: unknown) {
  expect(result).toEqual(expected);
}

/** A step: what the model expects, what the database does, and that they agree. */
export function stepsOf(database: TestDatabase, { stepsPerCheck }: { stepsPerCheck: number }) {
  let steps = 0;
  return (name: string, action: Action): Step => ({
    check: () => true,
    toString: () => name,
    async run(model, real) {
      const check = await action(model, real);
      steps += 1;
      if (steps % stepsPerCheck === 0) await expectRightBooks(database);
      const rows = await readRows(database, real);
      compare(model, rows);
      expectProperties(real.rows, rows);
      check?.(rows);
      real.rows = rows;
    },
  });
}

let checks = 0;

export async function expectRightBooks({ db }: Pick<TestDatabase, "db">) {
  const { differences } = await checkBooks(db);
  expect(differences).toEqual([]);
  // Pretends every week is over: later checks compare what is kept with what steps have changed.
  checks += 1;
  if (checks % 3 === 0) await keepWeeks(db, WEEKLY_METRICS, hoursLater(5 * 7 * 24));
}

function compare(model: Model, rows: Rows) {
  expect(
    rows.players.map(({ cents, debtCents, hasUsedFree, isSuspended }) => {
      return { cents, debtCents, hasUsedFree, isSuspended };
    }),
  ).toEqual(model.players);
  expect(
    rows.games.map(({ status, spots, taken, held, decision, version }) => {
      return { isOpen: status === "Published", spots, taken, held, decision, version };
    }),
  ).toEqual(
    model.games.map(({ isOpen, spots, decision, version }, g) => {
      return {
        isOpen,
        spots,
        taken: liveIn(model, g).length,
        held: heldIn(model, g),
        decision,
        version,
      };
    }),
  );
  const statuses = (all: { id: string; status: string }[]) =>
    new Map(all.map(({ id, status }) => [id, status]));
  expect(statuses([...rows.bookings, ...rows.entries, ...rows.holds])).toEqual(
    statuses([...model.bookings, ...model.entries, ...model.holds]),
  );
  const payingOf = (all: PayingState[]) =>
    new Map(all.map(({ id, status, holdsSpot, isPaid }) => [id, { status, holdsSpot, isPaid }]));
  const paying = model.paying.map((one) => ({ ...one, isPaid: one.paidAt !== null }));
  expect(payingOf(rows.paying)).toEqual(payingOf(paying));
  const agreed = (all: Agreed[]) => new Map(all.map(({ id, ...one }) => [id, one]));
  const ofModel = model.entries.map((one) => {
    return agreedOf({ ...one, notAfter: hoursLater(one.notAfter).getTime() });
  });
  expect(agreed(rows.entries.map(agreedOf))).toEqual(agreed(ofModel));
  const back = (all: { id: string; backCents: number }[]) =>
    new Map(all.map(({ id, backCents }) => [id, backCents]));
  expect(back(rows.bookings)).toEqual(back(model.bookings));
}

type PayingState = Pick<PayingRow, "id" | "status" | "holdsSpot" | "isPaid">;
type Agreed = ReturnType<typeof agreedOf>;

function agreedOf(
  entry: Pick<
    EntryRow,
    "id" | "mode" | "maxCents" | "notAfter" | "needsConsent" | "missed" | "unanswered"
  >,
) {
  const { id, mode, maxCents, notAfter, needsConsent, missed, unanswered } = entry;
  return { id, mode, maxCents, notAfter, needsConsent, missed, unanswered };
}

/** A form that did something, mostly the last, is sent again: nothing is written, not even a job. */
export function repeatStep({ pool }: TestDatabase, step: ReturnType<typeof stepsOf>) {
  const countWritten = async () => {
    const { rows } = await pool.query(
      `select (select count(*) from pgboss.job) as jobs, (select count(*) from audit_log) as audited,
        (select count(*) from wallet_transactions) as entries`,
    );
    return rows[0];
  };
  return fc.constantFrom(0, 0, 0, 1, 1, 2, 3).map((before) =>
    step(`the form ${before} before the last is sent again`, async (_, { forms }) => {
      const form = forms[before];
      if (!form || form.isGone?.()) return;
      const written = await countWritten();
      agree(await form.send(), form.expected());
      agree(await countWritten(), written);
    }),
  );
}
