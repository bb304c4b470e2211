import fc from "fast-check";
import { expect, test } from "vitest";
import { about, aPayer, packId, useAdminPayments } from "#test/admin.ts";
import { deliverEvents, monthlyPurchase, singlePurchase } from "#test/payments.ts";
import { balanceCents } from "#test/fixtures.ts";
import { isLong } from "#test/long.ts";
import { openSite } from "#test/whole-site.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { euros, numericFromCents } from "#app/platform/money.ts";
import type { ConfirmedResult } from "#app/routes/admin/confirmation.tsx";

const admin = useAdminPayments();

interface Paying {
  key: string;
  priceCents: number;
  creditsCents: number;
  amountCents: number;
  currency: string;
  isMonth: boolean;
}

// Half of them pay the price, or nearly.
const paying: fc.Arbitrary<Paying> = fc
  .record({
    key: fc.constantFrom("pay_per_game", "monthly_4", "monthly_8", "any_amount"),
    priceCents: fc.integer({ min: 1, max: 99_999 }),
    creditsCents: fc.integer({ min: 1, max: 99_999 }),
    other: fc.integer({ min: 0, max: 99_999 }),
    off: fc.constantFrom(0, 0, 1, -1, null, null),
    currency: fc.constantFrom("eur", "eur", "eur", "EUR", "usd", "jpy"),
    isMonth: fc.boolean(),
  })
  .map(({ off, other, ...deal }) => ({
    ...deal,
    amountCents: off === null ? other : Math.max(deal.priceCents + off, 0),
  }));

test("nothing is given that was not paid without a second yes, and a log entry names both sums", async () => {
  const property = fc.asyncProperty(paying, async (deal) => {
    expect(await give(deal)).toEqual(expected(deal));
  });
  await fc.assert(property, { numRuns: isLong ? 500 : 25 });
  expect((await checkBooks(admin.app.db)).differences).toEqual([]);
});

/** How it should go: what is asked, what is given before and after the answer, and what the log says. */
function expected({ key, priceCents, creditsCents, amountCents, currency }: Paying) {
  const isAny = key === "any_amount";
  const [price, credits] = isAny ? [amountCents, amountCents] : [priceCents, creditsCents];
  const paid = `a payment of ${euros(amountCents)}`;
  const nothing = { question: null, first: 0, wrongYes: 0, last: 0, isLogged: true };
  if (currency.toLowerCase() !== "eur" || amountCents === 0) return nothing;
  if (price === amountCents)
    return { ...nothing, first: credits, wrongYes: credits, last: credits, paid };
  const question = `${euros(amountCents)} was paid, this pack costs ${euros(price)}`;
  return { ...nothing, question, last: credits, paid, costs: `costs ${euros(price)}` };
}

async function give(deal: Paying) {
  const { amountCents, currency, isMonth, key } = deal;
  const { id, email } = await aPayer(admin.app);
  await setPrice(deal);
  const event = isMonth
    ? monthlyPurchase(null).paid(0, { amount_paid: amountCents, currency })
    : singlePurchase(null, { amount_total: amountCents, currency }).completed;
  await deliverEvents(admin.app, event);
  const fields = { email, packId: await packId(admin.app, key) };
  const credits = () => balanceCents(admin.app.db, id);
  const post = async (more = {}) =>
    (await admin.post(about(event, "assign", { ...fields, ...more }))).result as ConfirmedResult;
  const asked = (await post())?.confirmation;
  const first = await credits();
  if (asked) await post({ confirmed: `${asked.key}0` });
  const wrongYes = await credits();
  if (asked) await post({ confirmed: asked.key });
  const last = await credits();
  const [line, question] = [await logLine(event.id), asked?.title ?? null];
  const [paid] = /a payment of [\d.,]+\u00a0€/.exec(line) ?? [];
  const [costs] = /costs [\d.,]+\u00a0€/.exec(line) ?? [];
  const isLogged = last === 0 || line.includes(`""amountCents"":${amountCents}`);
  const shown = last === 0 ? {} : { ...(paid && { paid }), ...(costs && { costs }) };
  return { question, first, wrongYes, last, isLogged, ...shown };
}

async function setPrice({
  key,
  priceCents,
  creditsCents,
}: Pick<Paying, "key" | "priceCents" | "creditsCents">) {
  const deal = {
    price_eur: numericFromCents(priceCents),
    total_credit_eur: numericFromCents(creditsCents),
  };
  const pack = admin.app.db.updateTable("credit_packs").set(deal).where("pack_key", "=", key);
  await pack.execute();
}

/** What the file of the log says of an event. */
async function logLine(eventId: string): Promise<string> {
  const ask = await openSite(admin.app);
  const file = await ask("/admin/log.csv?to=2099-12-31", { cookie: admin.admin.cookie });
  return (await file.text()).split("\r\n").find((line) => line.includes(eventId)) ?? "";
}

test("one tap takes an assignment back, and the list says what was given to whom", async () => {
  const { id, email } = await aPayer(admin.app);
  await setPrice({ key: "pay_per_game", priceCents: 999, creditsCents: 1_000 });
  const { completed } = singlePurchase(null);
  await deliverEvents(admin.app, completed);
  const fields = { email, packId: await packId(admin.app, "pay_per_game") };
  await admin.post(about(completed, "assign", fields));
  const given = async () =>
    (await admin.open()).assigned.find(({ playerId }) => playerId === id) ?? null;
  const { id: assignmentId, ...words } = (await given())!;
  expect(words).toMatchObject({
    ...{ amount: "9.99\u00a0€", became: "10 credits, Single game", playerId: id },
  });
  const { status } = await admin.post({ intent: "take-back", assignmentId });
  expect([status, await balanceCents(admin.app.db, id), await given()]).toEqual([302, 0, null]);
  expect((await admin.open()).events).toMatchObject([{ id: completed.id }]);
  await admin.post(about(completed, "assign", fields));
  const next = (await given())!.id;
  await admin.app.db
    .updateTable("payments")
    .set({ refunded_eur: "1" })
    .where("user_id", "=", id)
    .execute();
  expect(await admin.post({ intent: "take-back", assignmentId: next })).toMatchObject({
    status: 409,
    result: { formError: expect.stringMatching(/^Money of this payment has gone back/) },
  });
  await admin.app.db
    .updateTable("payments")
    .set({ refunded_eur: "0" })
    .where("user_id", "=", id)
    .execute();
});
