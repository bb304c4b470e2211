import { expect, test } from "vitest";
import { useMatchDay } from "#test/match-day.ts";
import { aPlayer } from "#test/fixtures.ts";
import { openSite } from "#test/whole-site.ts";

const day = useMatchDay();
const { post, aMatch } = day;

const cash = { intent: "mark-paid", method: "MobilePay" };

test.each([
  ["100", "100.00\u00a0€ (MobilePay)"],
  ["1", "1.00\u00a0€ (MobilePay)"],
])("%s € for a seat is asked about once", async (amount, text) => {
  const { gameId, unpaid } = await aMatch();
  const { bookingId, cashPaymentId } = await unpaid();
  const body = { ...cash, amount, bookingId, cashPaymentId };
  const asked = await post(gameId, body);
  const { key, ...words } = asked.result!.unusualCash!;
  expect([asked.status, words]).toEqual([
    422,
    {
      title: `${text} for one seat?`,
      text: "A game usually costs 10.00\u00a0€. Nothing is saved yet.",
      button: `Yes, ${text}`,
    },
  ]);
  expect((await post(gameId, { ...body, amount: "200", confirmed: key })).status).toBe(422);
  expect(await unpaid()).toMatchObject({ paymentStatus: "Unpaid" });
  expect((await post(gameId, { ...body, confirmed: key })).status).toBe(302);
  expect(await unpaid()).toMatchObject({ paymentStatus: "Paid", cash: text });
});

test("an unusual amount is asked about once, and the answer goes on through a choice of names", async () => {
  const { gameId } = await aMatch();
  const twins = await Promise.all([1, 2].map(() => aPlayer(day.app.db, { name: "Aliisa" })));
  const body = { intent: "add", who: "aliisa", amount: "75", method: "Cash" };
  const asked = await post(gameId, { ...body, payment: "cash" });
  const { key } = asked.result!.unusualCash!;
  const yes = { ...body, confirmed: key };
  const site = await openSite(day.app);
  const form = { cookie: day.admin.cookie, body: new URLSearchParams(yes) };
  const page = await (await site(`/admin/games/${gameId}`, form)).text();
  const choices = page.match(/<form[\s\S]*?<\/form>/g)!;
  const [choice] = choices.filter((one) => one.includes(`value="${twins[0]}"`));
  expect(choice).toContain(`name="confirmed" value="${key}"`);
  expect(choice).toContain('name="payment" value="cash"');
  const chosen = { ...yes, payment: "cash", playerId: twins[0]! };
  const { toast } = await post(gameId, chosen);
  expect(toast?.description).toContain("Paid by hand: 75.00\u00a0€.");
});
