import { sql } from "kysely";
import { describe, expect, test, vi } from "vitest";
import { about, anAdmin, aPayer, packId, useAdminPayments } from "#test/admin.ts";
import type { SentEvent } from "#app/routes/demo/stripe-objects.ts";
import { monthlyPurchase, PACK, singlePurchase, deliverEvents } from "#test/payments.ts";
import { balanceCents, hoursLater, NOW } from "#test/fixtures.ts";
import { toastAfter } from "#test/visit.ts";
import { log } from "#app/platform/log.server.ts";
import type { ConfirmedResult } from "#app/routes/admin/confirmation.tsx";

const admin = useAdminPayments();

/** The toast that a success leaves for the page that it leads to. */
async function toastOf({ status, headers }: Awaited<ReturnType<typeof admin.post>>) {
  expect([status, headers.get("Location")]).toEqual([302, "/admin/payments"]);
  return (await toastAfter(admin.app, headers))?.description;
}

describe("the page", () => {
  test("shows what came in lately", async () => {
    const { id } = await aPayer(admin.app);
    await deliverEvents(admin.app, [singlePurchase(id).completed, singlePurchase(id).completed]);
    await deliverEvents(admin.app, singlePurchase(id).completed);
    const [old, ...lately] = await admin.app.db.selectFrom("payments").select("id").execute();
    const setAge = (ids: string[], at: Date) =>
      admin.app.db.updateTable("payments").set({ created_at: at }).where("id", "in", ids).execute();
    await setAge([old!.id], hoursLater(-30 * 24 - 0.1));
    const ids = lately.map((payment) => payment.id);
    await setAge(ids, hoursLater(-30 * 24));
    expect(await admin.open()).toMatchObject({
      events: [],
      hasMore: false,
      recent: "2 payments of 19.98\u00a0€ in all were credited in the last 30 days.",
    });
  });

  test("lists what waits, oldest first, filled in as far as it is known", async () => {
    const { id, email } = await aPayer(admin.app);
    const wrong = singlePurchase(id, { amount_total: 500 });
    const unnamed = singlePurchase(null, { currency: "jpy" });
    await deliverEvents(admin.app, wrong.completed);
    await deliverEvents(admin.app, unnamed.completed, new Date(NOW.getTime() - 1));
    const { events } = await admin.open();
    expect(events).toMatchObject([
      // What was paid in another currency cannot be given as credits.
      { amount: "999 JPY", assign: null },
      {
        id: wrong.completed.id,
        kind: "Single payment",
        amount: "5.00\u00a0€",
        received: "Nov 21, 2026, 12:00",
        objectId: wrong.id,
        why: "What was paid is not the price of the pack.",
        // As many credits as were paid: no pack has this price.
        assign: { email, packId: await packId(admin.app, "any_amount"), needsPack: true },
      },
    ]);
  });

  test("offers packs that are no longer on sale too", async () => {
    await admin.app.db
      .updateTable("credit_packs")
      .set({ is_active: false })
      .where("pack_key", "=", "monthly_8")
      .execute();
    expect((await admin.open()).packs.map(([, label]) => label)).toEqual([
      "Single game: 10 credits, 9.99\u00a0€",
      "4 games a month: 40 credits, 34.00\u00a0€",
      "12 games a month: 120 credits, 90.00\u00a0€",
      "Credits: as many as were paid",
      "8 games a month: 80 credits, 64.00\u00a0€ (not on sale)",
    ]);
  });

  test("shows a hundred, and that there are more", async () => {
    await sql`insert into stripe_events (id, type, object_id, created_at, status, reason, payload)
       select 'evt_' || n, 'charge.refunded', 'ch_' || n, now(), 'parked', 'unreadable', '{}'
       from generate_series(1, 101) n`.execute(admin.app.db);
    const { events, hasMore } = await admin.open();
    expect([events.length, hasMore]).toEqual([100, true]);
  });
});

describe("settling", () => {
  test("gives the player credits once, and records it", async () => {
    const { id, email } = await aPayer(admin.app);
    const { completed } = singlePurchase(null);
    await deliverEvents(admin.app, completed);
    const fields = { email: ` ${email.toUpperCase()} `, packId: await packId(admin.app, PACK) };
    const first = await admin.post(about(completed, "assign", fields));
    expect(await toastOf(first)).toBe(`Credits given to ${email}.`);
    expect(await balanceCents(admin.app.db, id)).toBe(1_000);
    const entry = admin.app.db
      .selectFrom("audit_log")
      .select("actor")
      .where("subject", "=", completed.id);
    expect(await entry.execute()).toEqual([{ actor: admin.admin.id }]);
    expect(await admin.post(about(completed, "assign", fields))).toMatchObject({
      status: 409,
      result: { formError: "This payment has been settled already." },
    });
    expect(await balanceCents(admin.app.db, id)).toBe(1_000);
  });

  test("of another sum than the pack costs asks once, in euros", async () => {
    const { id, email } = await aPayer(admin.app);
    const { completed } = singlePurchase(null);
    await deliverEvents(admin.app, completed);
    const fields = { email, packId: await packId(admin.app, "monthly_4") };
    const asked = await admin.post(about(completed, "assign", fields));
    expect(asked).toMatchObject({ status: 422, result: { values: fields } });
    const { confirmation } = asked.result as ConfirmedResult;
    expect(confirmation).toMatchObject({
      title: "9.99\u00a0€ was paid, this pack costs 34.00\u00a0€",
      button: "Give 40 credits anyway",
    });
    expect(await balanceCents(admin.app.db, id)).toBe(0);
    const yes = { ...fields, confirmed: confirmation!.key };
    expect((await admin.post(about(completed, "assign", yes))).status).toBe(302);
    expect(await balanceCents(admin.app.db, id)).toBe(4_000);
  });

  test("by two admins at once succeeds for one", async () => {
    const { id, email } = await aPayer(admin.app);
    const other = await anAdmin(admin.app);
    const { completed } = singlePurchase(null);
    await deliverEvents(admin.app, completed);
    const give = about(completed, "assign", { email, packId: await packId(admin.app, PACK) });
    const aside = about(completed, "dismiss");
    const responses = await Promise.all([
      admin.post(give),
      admin.post(give, other.cookie),
      admin.post(aside),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([302, 409, 409]);
    const given = responses[2].status === 302 ? 0 : 1_000;
    expect(await balanceCents(admin.app.db, id)).toBe(given);
  });

  test("a subscription's beginning needs no pack", async () => {
    const { id, email } = await aPayer(admin.app);
    const { completed, paid } = monthlyPurchase(null);
    await deliverEvents(admin.app, [completed, paid(0)]);
    const begun = (await admin.open()).events.find((payment) => payment.id === completed.id);
    expect(begun).toMatchObject({ kind: "New subscription", assign: { needsPack: false } });
    const response = await admin.post(about(completed, "assign", { email }));
    expect(await toastOf(response)).toBe(`It belongs to ${email} now.`);
    expect(await balanceCents(admin.app.db, id)).toBe(4_000);
    expect((await admin.open()).events).toEqual([]);
  });

  test("tried again, it says what is missing, or that it matched", async () => {
    const { id } = await aPayer(admin.app);
    const { completed } = singlePurchase(id, { payment_link: "plink_new" });
    await deliverEvents(admin.app, completed);
    expect(await admin.post(about(completed, "retry"))).toMatchObject({
      status: 409,
      result: { title: "Still not matched", values: { eventId: completed.id } },
    });
    const pack = admin.app.db.updateTable("credit_packs").where("pack_key", "=", PACK);
    await pack.set({ stripe_payment_link_id: "plink_new" }).execute();
    const response = await admin.post(about(completed, "retry"));
    await pack.set({ stripe_payment_link_id: `plink_${PACK}` }).execute();
    expect(await toastOf(response)).toBe("This time everything matched.");
    expect(await balanceCents(admin.app.db, id)).toBe(1_000);
  });

  test("set aside, it gives nobody credits", async () => {
    const { id } = await aPayer(admin.app);
    const { completed } = singlePurchase(id, { amount_total: 500 });
    await deliverEvents(admin.app, completed);
    const response = await admin.post(about(completed, "dismiss"));
    expect(await toastOf(response)).toBe("Nobody was given credits for it.");
    expect(await balanceCents(admin.app.db, id)).toBe(0);
    expect((await admin.open()).events).toEqual([]);
  });
});

/** All that settling may touch: equal before and after, nothing was written. */
const state = async () => ({
  events: await admin.app.db.selectFrom("stripe_events").selectAll().orderBy("id").execute(),
  payments: await admin.app.db.selectFrom("payments").select("id").orderBy("id").execute(),
  entries: await admin.app.db.selectFrom("audit_log").select("id").orderBy("id").execute(),
});

const anUnmatchedEvent = async () => {
  const { completed } = singlePurchase(null);
  await deliverEvents(admin.app, completed);
  return completed;
};

test.each([
  ["", "Email is required"],
  ["nobody", "Please enter a valid email address"],
  ["nobody\0@uni.example", "Please enter a valid email address"],
  ["nobody@uni.example", "No player has this email address."],
  [`${"x".repeat(300)}@uni.example`, "Email is too long"],
])("rejects the email %j", async (email, words) => {
  const event = await anUnmatchedEvent();
  const before = await state();
  const pack = await packId(admin.app, PACK);
  expect(await admin.post(about(event, "assign", { email, packId: pack }))).toMatchObject({
    status: 422,
    result: { fieldErrors: { email: words }, values: { eventId: event.id, email, packId: pack } },
  });
  expect(await state()).toEqual(before);
});

test.each(["", "x", "\0", crypto.randomUUID()])("rejects the pack %j", async (packId) => {
  const event = await anUnmatchedEvent();
  const before = await state();
  const { email } = await aPayer(admin.app);
  expect(await admin.post(about(event, "assign", { email, packId }))).toMatchObject({
    status: 422,
    result: { fieldErrors: { packId: "Choose the pack that was paid for." }, values: { email } },
  });
  expect(await state()).toEqual(before);
});

test("a customer of another player cannot be assigned", async () => {
  const [one, other] = [await aPayer(admin.app), await aPayer(admin.app)];
  const purchase = monthlyPurchase(one.id);
  const invoice = purchase.paid(0, { amount_paid: 1 });
  await deliverEvents(admin.app, [purchase.completed, invoice]);
  const before = await state();
  const fields = { email: other.email, packId: await packId(admin.app, "monthly_4") };
  expect(await admin.post(about(invoice, "assign", fields))).toMatchObject({
    status: 409,
    result: {
      formError: "This Stripe customer belongs to another player already.",
      values: fields,
    },
  });
  expect(await state()).toEqual(before);
});

test("a refund cannot be assigned", async () => {
  const { refunded } = singlePurchase(null);
  const event = refunded(999);
  await deliverEvents(admin.app, event);
  expect((await admin.open()).events).toMatchObject([{ kind: "Refund", assign: null }]);
  const { email } = await aPayer(admin.app);
  expect(await admin.post(about(event, "assign", { email }))).toMatchObject({
    status: 409,
    result: { formError: "This cannot be given to a player." },
  });
});

test("a payment of nothing gives no credits", async () => {
  const free = singlePurchase(null, { amount_total: 0 });
  const month = monthlyPurchase(null).paid(0, { amount_paid: 0 });
  await deliverEvents(admin.app, [free.completed, month]);
  const { events } = await admin.open();
  const assignOf = ({ id }: SentEvent) => events.find((each) => each.id === id)?.assign;
  expect(assignOf(free.completed)).toBeNull();
  expect(assignOf(month)).toMatchObject({ needsPack: false });
});

test.each([
  {},
  { intent: "retry" },
  { intent: "retry", eventId: "" },
  { intent: "dismiss", eventId: "evt\0" },
  { intent: "grant", eventId: "evt_1" },
  "no form",
])("rejects the form %j", async (body) => {
  await anUnmatchedEvent();
  const before = await state();
  expect(await admin.post(body as Record<string, string>)).toMatchObject({
    status: 400,
    result: { title: "Error", formError: "Failed to process request" },
  });
  expect(await state()).toEqual(before);
});

test.each(["assign", "retry", "dismiss"])(
  "%s keeps what was typed when it breaks",
  async (intent) => {
    const { id, email } = await aPayer(admin.app);
    const { completed } = singlePurchase(id, { payment_link: "plink_new" });
    await deliverEvents(admin.app, completed);
    const fields = { email, packId: await packId(admin.app, PACK) };
    const logged = vi.spyOn(log, "error").mockImplementation(() => {});
    await sql`alter table stripe_events rename column status to away`.execute(admin.app.db);
    const posted = await admin.post(about(completed, intent, fields));
    await sql`alter table stripe_events rename column away to status`.execute(admin.app.db);
    const values = { eventId: completed.id, ...(intent === "assign" && fields) };
    const formError = "Nothing was saved. Please try again.";
    expect(posted).toMatchObject({ status: 500, result: { form: intent, formError, values } });
    expect(logged).toHaveBeenCalled();
    logged.mockRestore();
  },
);

test("an event that does not exist cannot be settled", async () => {
  for (const intent of ["assign", "retry", "dismiss"]) {
    const fields = { intent, eventId: "evt_none", email: "ada@uni.example" };
    expect((await admin.post(fields)).status).toBe(409);
  }
});
