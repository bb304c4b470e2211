import { sql } from "kysely";
import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { aLife } from "#test/life.ts";
import { somePacks } from "#test/payments.ts";
import { collectPersonalData } from "./personal-data.server.ts";

const database = useDatabase();

// Columns of each table: true is exported, a text says why not. Profiles: personal-data.test.ts.
const COLUMNS: Record<string, { part: string; columns: Record<string, string | true> }> = {
  bookings: {
    part: "bookings",
    columns: {
      ...asTrue("id user_id game_id payment_status price_eur refund_hours refund_fee_eur terms"),
      ...asTrue("uses_free_session cancelled_at cancel_reason end_reason late_refund_eur"),
      ...asTrue("free_cancel_until attendance no_show_excused_at no_show_excuse goals has_won"),
      ...asTrue("not_collected_at cash_promised team created_at"),
      cancel_form_key: "says nothing about anybody",
      mark_version: "says nothing about anybody",
      no_show_excused_by: "another person",
    },
  },
  waitlist_entries: {
    part: "waitlist-entries",
    columns: {
      ...asTrue("id game_id user_id mode status agreed_text agreed_version agreed_at agreed_key"),
      ...asTrue("game_starts_at game_ends_at game_venue_id max_price_eur until_hours not_after"),
      ...asTrue("needs_consent offer_expires_at missed_offers unanswered_offers offered_at"),
      ...asTrue("passed_over promote_reason end_reason booking_id created_at ended_at"),
    },
  },
  payments: {
    part: "payments",
    columns: {
      ...asTrue("id stripe_object_id user_id pack_id amount_eur credits_eur subscription_id"),
      ...asTrue("refunded_eur refunded_at taken_back_eur owed_eur created_at"),
      ...asTrue("receipt_year receipt_number assignments ledger_key"),
    },
  },
  pending_payments: {
    part: "pending-payments",
    columns: asTrue("session_id user_id pack_id hold_id amount_eur status created_at ended_at"),
  },
  subscriptions: {
    part: "subscriptions",
    columns: asTrue(
      "id customer_id status cancel_at_period_end current_period_end pack_id state_at",
    ),
  },
};

function asTrue(names: string): Record<string, true> {
  return Object.fromEntries(names.split(" ").map((name) => [name, true]));
}

test("of each column of these tables it is decided whether it is exported", async () => {
  const { db } = database;
  await somePacks(db);
  const data = await collectPersonalData(db, await aLife(database, "Columns"));
  for (const [table, { part, columns }] of Object.entries(COLUMNS)) {
    const { rows } = await sql<{ name: string }>`
      select column_name as name from information_schema.columns
      where table_schema = 'public' and table_name = ${table}`.execute(db);
    const names = rows.map(({ name }) => name).toSorted();
    expect(names, table).toEqual(Object.keys(columns).toSorted());
    const exported = Object.keys(data[part]![0]!).filter((name) => names.includes(name));
    const ofPerson = Object.keys(columns).filter((name) => columns[name] === true);
    expect(exported.toSorted(), table).toEqual(ofPerson.toSorted());
  }
});
