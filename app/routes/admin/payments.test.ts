import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { about, anAdmin, aPayer, packId, useAdminPayments } from "#test/admin.ts";
import { monthlyPurchase, PACK, singlePurchase, tell } from "#test/payments.ts";
import { balanceCents, hoursLater, NOW } from "#test/fixtures.ts";
import { takeToast } from "#app/forms/toast.server.ts";

const desk = useAdminPayments();

/** The toast that a success leaves for the page that it leads to. */
async function toastOf({ status, headers }: Awaited<ReturnType<typeof desk.post>>) {
  expect([status, headers.get("Location")]).toEqual([302, "/admin/payments"]);
  const Cookie = headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const next = new Request("http://kickabout.test/admin/payments", { headers: { Cookie } });
  return (await takeToast(desk.app.env, next)).flash?.description;
}

describe("the page", () => {
  test("nothing to settle, and what came in lately", async () => {
    const { id } = await aPayer(desk.app);
    await tell(desk.app.db, [singlePurchase(id).completed, singlePurchase(id).completed]);
    await tell(desk.app.db, singlePurchase(id).completed);
    const [old, ...lately] = await desk.app.db.selectFrom("payments").select("id").execute();
    const setAge = (ids: string[], at: Date) =>
      desk.app.db.updateTable("payments").set({ created_at: at }).where("id", "in", ids).execute();
    await setAge([old!.id], hoursLater(-30 * 24 - 0.1));
    const ids = lately.map((payment) => payment.id);
    await setAge(ids, hoursLater(-30 * 24));
    expect(await desk.open()).toMatchObject({
      payments: [],
      hasMore: false,
      recent: "2 payments of 19.98 € in all were credited in the last 30 days.",
    });
  });

  test("what waits, the oldest first, filled in as far as it is known", async () => {
    const { id, email } = await aPayer(desk.app);
    const wrong = singlePurchase(id, { amount_total: 500 });
    const unnamed = singlePurchase(null, { currency: "jpy" });
    await tell(desk.app.db, wrong.completed);
    await tell(desk.app.db, unnamed.completed, new Date(NOW.getTime() - 1));
    const { payments } = await desk.open();
    expect(payments).toMatchObject([
      // What was paid in another currency cannot be given as credits.
      { amount: "999 JPY", assign: null },
      {
        id: wrong.completed.id,
        kind: "Single payment",
        amount: "5.00 EUR",
        received: "Nov 21, 2026, 12:00",
        objectId: wrong.id,
        why: "What was paid is not the price of the pack.",
        assign: { email, packId: await packId(desk.app, PACK), needsPack: true },
      },
    ]);
  });

  test("packs that are no longer on sale can be chosen too", async () => {
    await desk.app.db
      .updateTable("credit_packs")
      .set({ is_active: false })
      .where("pack_key", "=", "monthly_8")
      .execute();
    expect((await desk.open()).packs.map(({ label }) => label)).toEqual([
      "Single game: 10 credits, 9.99 €",
      "4 games a month: 40 credits, 34.00 €",
      "12 games a month: 120 credits, 90.00 €",
      "8 games a month: 80 credits, 64.00 € (not on sale)",
    ]);
  });

  test("a hundred are shown, and that there are more", async () => {
    await sql`insert into stripe_events (id, type, object_id, created_at, status, reason, payload)
       select 'evt_' || n, 'charge.refunded', 'ch_' || n, now(), 'parked', 'unreadable', '{}'
       from generate_series(1, 101) n`.execute(desk.app.db);
    const { payments, hasMore } = await desk.open();
    expect([payments.length, hasMore]).toEqual([100, true]);
  });
});

describe("settling", () => {
  test("credits are given to the player, once, and recorded", async () => {
    const { id, email } = await aPayer(desk.app);
    const { completed } = singlePurchase(null);
    await tell(desk.app.db, completed);
    const fields = { email: ` ${email.toUpperCase()} `, packId: await packId(desk.app, PACK) };
    const first = await desk.post(about(completed, "assign", fields));
    expect(await toastOf(first)).toBe(`Credits given to ${email}.`);
    expect(await balanceCents(desk.app.db, id)).toBe(1_000);
    const deed = desk.app.db
      .selectFrom("audit_log")
      .select("actor")
      .where("subject", "=", completed.id);
    expect(await deed.execute()).toEqual([{ actor: desk.admin.id }]);
    expect(await desk.post(about(completed, "assign", fields))).toMatchObject({
      status: 409,
      refusal: { notice: { description: "This payment has been settled already." } },
    });
    expect(await balanceCents(desk.app.db, id)).toBe(1_000);
  });

  test("of two admins at once one settles it", async () => {
    const { id, email } = await aPayer(desk.app);
    const other = await anAdmin(desk.app);
    const { completed } = singlePurchase(null);
    await tell(desk.app.db, completed);
    const give = about(completed, "assign", { email, packId: await packId(desk.app, PACK) });
    const aside = about(completed, "dismiss");
    const answers = await Promise.all([
      desk.post(give),
      desk.post(give, other.cookie),
      desk.post(aside),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([302, 409, 409]);
    const given = answers[2].status === 302 ? 0 : 1_000;
    expect(await balanceCents(desk.app.db, id)).toBe(given);
  });

  test("a subscription's beginning needs no pack", async () => {
    const { id, email } = await aPayer(desk.app);
    const { completed, paid } = monthlyPurchase(null);
    await tell(desk.app.db, [completed, paid(0)]);
    const begun = (await desk.open()).payments.find((payment) => payment.id === completed.id);
    expect(begun).toMatchObject({ kind: "New subscription", assign: { needsPack: false } });
    const answer = await desk.post(about(completed, "assign", { email }));
    expect(await toastOf(answer)).toBe(`It belongs to ${email} now.`);
    expect(await balanceCents(desk.app.db, id)).toBe(4_000);
    expect((await desk.open()).payments).toEqual([]);
  });

  test("tried again, it says what is missing or that it matched", async () => {
    const { id } = await aPayer(desk.app);
    const { completed } = singlePurchase(id, { payment_link: "plink_new" });
    await tell(desk.app.db, completed);
    expect(await desk.post(about(completed, "retry"))).toMatchObject({
      status: 409,
      refusal: { eventId: completed.id, notice: { title: "Still not matched" } },
    });
    const pack = desk.app.db.updateTable("credit_packs").where("pack_key", "=", PACK);
    await pack.set({ stripe_payment_link_id: "plink_new" }).execute();
    const answer = await desk.post(about(completed, "retry"));
    await pack.set({ stripe_payment_link_id: `plink_${PACK}` }).execute();
    expect(await toastOf(answer)).toBe("This time everything matched.");
    expect(await balanceCents(desk.app.db, id)).toBe(1_000);
  });

  test("set aside, nobody gets anything", async () => {
    const { id } = await aPayer(desk.app);
    const { completed } = singlePurchase(id, { amount_total: 500 });
    await tell(desk.app.db, completed);
    const answer = await desk.post(about(completed, "dismiss"));
    expect(await toastOf(answer)).toBe("Nobody was given credits for it.");
    expect(await balanceCents(desk.app.db, id)).toBe(0);
    expect((await desk.open()).payments).toEqual([]);
  });
});
