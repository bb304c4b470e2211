import { beforeAll, expect, test } from "vitest";
import { singlePurchase, somePacks, tell } from "../../../test/payments.ts";
import { balanceCents, everything, NOW } from "../../../test/world.ts";
import { useSettings } from "../../../test/settings.ts";
import { action, loader } from "./withdraw.tsx";
import type { WithdrawAnswer } from "./withdraw-words.ts";

const settings = useSettings();
beforeAll(() => somePacks(settings.app.db));

async function buyer() {
  const player = await settings.player();
  const pack = singlePurchase(player.userId);
  await tell(settings.app.db, pack.completed);
  const { id } = await settings.app.db
    .updateTable("payments")
    .set({ created_at: NOW })
    .where("stripe_object_id", "=", pack.id)
    .returning("id")
    .executeTakeFirstOrThrow();
  return { ...player, paymentId: id, reference: pack.id };
}
const page = async (cookie: string) =>
  (await settings.open(loader, "/withdraw", cookie)).data as Awaited<ReturnType<typeof loader>>;
async function post(cookie: string, body: Record<string, string>) {
  const { answer, ...rest } = await settings.post(action, "/withdraw", cookie, body);
  return { ...rest, answer: answer as WithdrawAnswer | null };
}

test("first the statement, which does nothing yet; then its confirmation", async () => {
  const { userId, cookie, paymentId, reference } = await buyer();
  const words = {
    paymentId,
    reference,
    packName: "Single game",
    paid: "9.99 €, paid on Nov 21, 2026",
    unused: "10 credits unused",
    refund: "9.99 €",
    until: "until Dec 7, 2026",
    isMonthly: false,
  };
  expect((await page(cookie)).purchases).toEqual([words]);
  const before = await everything(settings.app.db);
  expect(await post(cookie, { intent: "state", paymentId })).toMatchObject({
    status: 200,
    answer: { stated: words },
  });
  expect(await everything(settings.app.db)).toEqual(before);
  const confirmed = await post(cookie, { intent: "confirm", paymentId });
  expect([confirmed.status, confirmed.to]).toEqual([302, "/settings/withdraw"]);
  expect((await settings.flash(confirmed.headers))?.title).toBe("Withdrawal received");
  expect(await page(cookie)).toMatchObject({
    purchases: [],
    withdrawals: [{ stated: "Nov 21, 2026, 12:00", what: "10 credits, 9.99 €", isRefunded: false }],
  });
  expect(await balanceCents(settings.app.db, userId)).toBe(1_000);
});

test("another's purchase, none, an unknown one and an unknown deed: refused, nothing written", async () => {
  const [me, other] = [await buyer(), await buyer()];
  const before = await everything(settings.app.db);
  for (const intent of ["state", "confirm"]) {
    for (const paymentId of [other.paymentId, crypto.randomUUID(), "x", "' or 1=1 --", "a\0"]) {
      expect(await post(me.cookie, { intent, paymentId })).toMatchObject({
        status: 409,
        answer: { failure: "This purchase can no longer be withdrawn from." },
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
