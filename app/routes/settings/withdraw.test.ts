import { beforeAll, describe, expect, test } from "vitest";
import { singlePurchase, somePacks, deliverEvents } from "#test/payments.ts";
import { balanceCents, everything, NOW } from "#test/fixtures.ts";
import { buttonsOf, renderPage, textOf } from "#test/screen.tsx";
import { useSettings } from "#test/settings.ts";
import Withdraw, { action, loader } from "./withdraw.tsx";
import type { WithdrawResult } from "./withdraw-actions.server.ts";

const settings = useSettings();
beforeAll(() => somePacks(settings.app.db));

async function buyer() {
  const player = await settings.player();
  const pack = singlePurchase(player.userId);
  await deliverEvents(settings.app, pack.completed);
  const { id } = await settings.app.db
    .updateTable("payments")
    .set({ created_at: NOW })
    .where("stripe_object_id", "=", pack.id)
    .returning("id")
    .executeTakeFirstOrThrow();
  return { ...player, paymentId: id, reference: pack.id, refunded: pack.refunded(999) };
}
const page = async (cookie: string) =>
  (await settings.open(loader, "/withdraw", cookie)).data as Awaited<ReturnType<typeof loader>>;
async function post(cookie: string, body: Record<string, string>) {
  const { result, ...rest } = await settings.post(action, "/withdraw", cookie, body);
  return { ...rest, result: result as WithdrawResult | null };
}

test("first the statement, which does nothing yet; then its confirmation", async () => {
  const { userId, cookie, paymentId, reference } = await buyer();
  const view = {
    paymentId,
    reference,
    packName: "Single game",
    paid: "9.99\u00a0€, paid on Nov 21, 2026, 12:00",
    unused: "10 credits unused",
    refund: "9.99\u00a0€",
    until: "until Dec 7, 2026",
    isMonthly: false,
  };
  expect((await page(cookie)).purchases).toEqual([view]);
  const before = await everything(settings.app.db);
  expect(await post(cookie, { intent: "state", paymentId })).toMatchObject({
    status: 200,
    result: { stated: view },
  });
  expect(await everything(settings.app.db)).toEqual(before);
  const confirmed = await post(cookie, { intent: "confirm", paymentId });
  expect([confirmed.status, confirmed.to]).toEqual([302, "/settings/withdraw"]);
  expect((await settings.toast(confirmed.headers))?.title).toBe("Withdrawal received");
  expect(await page(cookie)).toMatchObject({
    purchases: [],
    withdrawals: [
      { stated: "Nov 21, 2026, 12:00", what: "10 credits, 9.99\u00a0€", state: "waiting" },
    ],
  });
  expect(await balanceCents(settings.app.db, userId)).toBe(0);
});

describe("a withdrawal on the page", () => {
  const takeBack = (cookie: string, withdrawalId: string) =>
    post(cookie, { intent: "take-back", withdrawalId });
  async function stated() {
    const me = await buyer();
    await post(me.cookie, { intent: "confirm", paymentId: me.paymentId });
    const { withdrawals } = await page(me.cookie);
    return { ...me, id: withdrawals[0]!.id };
  }

  test("is taken back, as often as its form is sent, and can be stated again", async () => {
    const { userId, cookie, paymentId, id } = await stated();
    for (let n = 0; n < 2; n += 1) {
      const taken = await takeBack(cookie, id);
      expect([taken.status, taken.to]).toEqual([302, "/settings/withdraw"]);
      expect((await settings.toast(taken.headers))?.title).toBe("Withdrawal taken back");
    }
    expect(await balanceCents(settings.app.db, userId)).toBe(1_000);
    expect(await page(cookie)).toMatchObject({
      purchases: [{ paymentId }],
      withdrawals: [{ id, state: "taken-back", canCancelWithdrawal: false }],
    });
  });

  test("is not stated again by its own form, whose result is the first one", async () => {
    const { cookie, paymentId } = await buyer();
    const { result } = await post(cookie, { intent: "state", paymentId });
    const body = { intent: "confirm", paymentId, formKey: result!.stated!.formKey };
    await post(cookie, body);
    const { id } = (await page(cookie)).withdrawals[0]!;
    expect(id).toBe(body.formKey);
    await takeBack(cookie, id);
    const before = await everything(settings.app.db);
    const late = await post(cookie, body);
    expect([late.status, late.to]).toEqual([302, "/settings/withdraw"]);
    expect((await settings.toast(late.headers))?.title).toBe("Withdrawal received");
    expect(await everything(settings.app.db)).toEqual(before);
    const { result: again } = await post(cookie, { intent: "state", paymentId });
    await post(cookie, { ...body, formKey: again!.stated!.formKey });
    expect((await page(cookie)).withdrawals).toMatchObject([{ state: "waiting" }, { id }]);
  });

  test("that is paid back, another's or none: an error, nothing written", async () => {
    const [paid, other] = [await stated(), await stated()];
    await deliverEvents(settings.app, paid.refunded);
    const before = await everything(settings.app.db);
    for (const id of [paid.id, other.id, crypto.randomUUID(), "x", ""]) {
      expect(await takeBack(paid.cookie, id)).toMatchObject({
        status: 409,
        result: { formError: "This withdrawal can no longer be taken back." },
      });
    }
    expect(await takeBack("", paid.id)).toMatchObject({ status: 302, to: "/" });
    expect(await everything(settings.app.db)).toEqual(before);
  });

  test("is drawn with its state, and its button only while that works", async () => {
    const { cookie, refunded } = await stated();
    const html = async () => renderPage(Withdraw, { loaderData: await page(cookie) });
    expect(textOf(await html())).toContain("Waiting");
    expect(buttonsOf(await html())).toEqual(["Take back the withdrawal from Single game"]);
    await deliverEvents(settings.app, refunded);
    expect(textOf(await html())).toContain("Refunded");
    expect(buttonsOf(await html())).toEqual([]);
  });
});

test("of several purchases none is chosen, and what waits comes first", async () => {
  const me = await buyer();
  const html = async () => renderPage(Withdraw, { loaderData: await page(me.cookie) });
  expect(await html()).toContain('checked=""');
  for (let n = 0; n < 2; n += 1) {
    await deliverEvents(settings.app, singlePurchase(me.userId).completed, NOW);
  }
  expect(await html()).not.toContain('checked=""');
  await post(me.cookie, { intent: "confirm", paymentId: me.paymentId });
  const text = textOf(await html());
  expect(text.indexOf("Your withdrawals")).toBeLessThan(text.indexOf("I withdraw from"));
  expect(text.split("Your withdrawals")).toHaveLength(2);
});

test("a form that is sent twice counts once, and is confirmed both times", async () => {
  const me = await buyer();
  const confirm = { intent: "confirm", paymentId: me.paymentId };
  for (let n = 0; n < 2; n += 1) {
    const sent = await post(me.cookie, confirm);
    expect([sent.status, sent.to]).toEqual([302, "/settings/withdraw"]);
  }
  expect((await page(me.cookie)).withdrawals).toHaveLength(1);
});

test("another's purchase, none, an unknown one and an unknown action: an error, nothing written", async () => {
  const [me, other] = [await buyer(), await buyer()];
  const before = await everything(settings.app.db);
  for (const intent of ["state", "confirm"]) {
    for (const paymentId of [other.paymentId, crypto.randomUUID(), "x", "' or 1=1 --", "a\0"]) {
      expect(await post(me.cookie, { intent, paymentId })).toMatchObject({
        status: 409,
        result: { formError: "This purchase can no longer be withdrawn from." },
      });
    }
    expect((await post(me.cookie, { intent })).status).toBe(422);
  }
  expect((await post(me.cookie, { intent: "x", paymentId: me.paymentId })).status).toBe(400);
  expect(await post("", { intent: "confirm", paymentId: me.paymentId })).toMatchObject({
    status: 302,
    to: "/",
  });
  expect(await everything(settings.app.db)).toEqual(before);
});
