import { describe, expect, test } from "vitest";
import { useMatchDay } from "#test/match-day.ts";
import { textOf } from "#test/screen.tsx";
import { openSite } from "#test/whole-site.ts";
import { ada, aPlayer, balanceCents } from "#test/fixtures.ts";

const day = useMatchDay();
const { at, open, post, aMatch } = day;

const readAsVisitor = async (path: string) => (await (await openSite(day.app))(path)).text();

const AMOUNT = "Enter an amount above 0 and at most 999.99\u00a0€, such as 10 or 7.50";

describe("paid by hand", () => {
  const cash = { intent: "mark-paid", amount: "7,5", method: "MobilePay" };

  test("an unpaid seat is marked paid with its amount and method, and unpaid again", async () => {
    const { gameId, unpaid } = await aMatch();
    const { bookingId, cashPaymentId, cash: before } = await unpaid();
    expect(before).toBeNull();
    const paid = await post(gameId, { ...cash, bookingId, cashPaymentId });
    expect(paid.toast).toMatchObject({
      title: "Marked paid",
      description: expect.stringMatching(/^Bo \w+, 7.50\u00a0€ \(MobilePay\)$/),
    });
    expect(await unpaid()).toMatchObject({
      ...{ paymentStatus: "Paid", cash: "7.50\u00a0€ (MobilePay)", cashPaymentId },
    });
    const undo = { intent: "mark-unpaid", bookingId, cashPaymentId };
    expect((await post(gameId, undo)).toast).toMatchObject({ title: "Marked unpaid" });
    expect(await unpaid()).toMatchObject({ paymentStatus: "Unpaid", cash: null });
  });

  test.each([
    ["amount", { amount: "ten" }, AMOUNT],
    ["amount", { amount: "0" }, AMOUNT],
    ["amount", { amount: "1000" }, AMOUNT],
    ["method", { method: "Gold" }, "Choose how it was paid"],
  ])("a wrong %s is said, and what was typed is kept: %j", async (field, typed, message) => {
    const { gameId, unpaid } = await aMatch();
    const { bookingId, cashPaymentId } = await unpaid();
    const body = { ...cash, ...typed, bookingId, cashPaymentId };
    expect(await post(gameId, body)).toMatchObject({
      status: 422,
      result: { fieldErrors: { [field]: message }, values: { bookingId, ...typed } },
    });
    expect(await unpaid()).toMatchObject({ paymentStatus: "Unpaid" });
  });

  test("the slower of two organisers is shown what the other has noted", async () => {
    const { gameId, unpaid } = await aMatch();
    const { bookingId, cashPaymentId } = await unpaid();
    await post(gameId, { ...cash, bookingId, cashPaymentId });
    const late = { ...cash, bookingId, cashPaymentId: crypto.randomUUID() };
    expect(await post(gameId, late)).toMatchObject({
      status: 409,
      result: { formError: "Not saved: somebody else has noted 7.50\u00a0€ (MobilePay) already." },
    });
  });

  test("a form that comes again after the payment was taken back says that nothing is noted", async () => {
    const { gameId, unpaid } = await aMatch();
    const { bookingId, cashPaymentId } = await unpaid();
    const form = { ...cash, bookingId, cashPaymentId };
    await post(gameId, form);
    await post(gameId, { intent: "mark-unpaid", bookingId, cashPaymentId });
    expect(await post(gameId, form)).toMatchObject({
      status: 409,
      result: { formError: expect.stringMatching(/^Not saved: .* Send it again/) },
    });
    const now = await unpaid();
    expect(now.paymentStatus).toBe("Unpaid");
    const again = await post(gameId, { ...form, cashPaymentId: now.cashPaymentId });
    expect(again.toast).toMatchObject({ title: "Marked paid" });
  });

  test("what was noted by mistake is taken back also once the player has left", async () => {
    const { gameId, unpaid } = await aMatch();
    const { bookingId, cashPaymentId } = await unpaid();
    await post(gameId, { ...cash, bookingId, cashPaymentId });
    await post(gameId, { intent: "remove", bookingId, refund: "none" });
    const page = await (await openSite(day.app))(at(gameId).path, { cookie: day.admin.cookie });
    expect((await page.text()).match(/Never paid.{0,40}by Bo/)).not.toBeNull();
    const never = await post(gameId, { intent: "mark-unpaid", bookingId, cashPaymentId });
    expect(never.toast).toMatchObject({ title: "Marked as never paid" });
    expect((await open(gameId)).former).toMatchObject([{ bookingId, cash: null }]);
  });

  test("is to be given back once the player is removed, until it is marked so", async () => {
    const { gameId, unpaid } = await aMatch();
    const { bookingId, cashPaymentId } = await unpaid();
    await post(gameId, { ...cash, bookingId, cashPaymentId });
    expect(await unpaid()).toMatchObject({ toGiveBack: "Money to give back: 7.50\u00a0€" });
    const removed = await post(gameId, { intent: "remove", bookingId, refund: "none" });
    expect(removed.toast?.description).toBe(
      "No credits to return. Give 7.50\u00a0€ back. The player is notified by email.",
    );
    expect((await open(gameId)).former).toMatchObject([
      { bookingId, cash: { id: cashPaymentId, text: "Money to give back: 7.50\u00a0€" } },
    ]);
    const page = await open(gameId);
    expect(page.pendingCash).toBe("Money to give back: 7.50\u00a0€");
    const which = { bookingId, cashPaymentId };
    const kept = await post(gameId, { intent: "keep-cash", ...which });
    expect(kept.toast).toMatchObject({ title: "Marked as kept" });
    expect(await open(gameId)).toMatchObject({
      pendingCash: null,
      former: [{ bookingId, cash: { isKept: true, text: "Money kept: 7.50\u00a0€" } }],
    });
    const owed = await post(gameId, { intent: "owe-cash", ...which });
    expect(owed.toast).toMatchObject({ title: "Marked as to be given back" });
    const back = { intent: "give-cash-back", ...which };
    expect((await post(gameId, back)).toast).toMatchObject({ title: "Marked as given back" });
    expect((await open(gameId)).former).toMatchObject([{ bookingId, cash: null }]);
  });
});

describe("once the game has begun", () => {
  async function aBegunMatch() {
    const match = await aMatch();
    const times = { start_time: "11:30", end_time: "13:00" };
    await day.app.db.updateTable("games").set(times).where("id", "=", match.gameId).execute();
    return match;
  }
  const read = async (gameId: string) => {
    const site = await openSite(day.app);
    const html = await (await site(at(gameId).path, { cookie: day.admin.cookie })).text();
    return textOf(html.replaceAll(/<script\b.*?<\/script>/gs, ""));
  };

  test("an unpaid seat is marked as not collected, and collected after all", async () => {
    const { gameId, unpaid } = await aBegunMatch();
    const { bookingId } = await unpaid();
    expect(await read(gameId)).toContain("· 1 unpaid|");
    const no = await post(gameId, { intent: "not-collected", bookingId });
    expect(no.toast).toMatchObject({ title: "Marked as not collected" });
    expect(await unpaid()).toMatchObject({ isNotCollected: true, isCollected: false });
    const page = await read(gameId);
    expect(page).not.toContain("1 unpaid|");
    expect(page).toContain("|Not collected|");
    const yes = await post(gameId, { intent: "collected", bookingId });
    expect(yes.toast).toMatchObject({ title: "Marked as to be collected" });
    expect(await unpaid()).toMatchObject({ isNotCollected: false, isCollected: true });
  });

  test("a no-show is not counted as unpaid, but may still pay", async () => {
    const { gameId, unpaid } = await aBegunMatch();
    const { bookingId } = await unpaid();
    await post(gameId, { intent: "attendance", bookingId, from: "", to: "NoShow" });
    const page = await read(gameId);
    expect(page).not.toContain("1 unpaid|");
    expect(page).toContain("|Mark paid |");
    expect(page).not.toContain("|Not collected |");
  });

  test("a form that comes too late says so and changes nothing", async () => {
    const { gameId, bookingId } = await aBegunMatch();
    expect(await post(gameId, { intent: "not-collected", bookingId })).toMatchObject({
      status: 409,
      result: { formError: "This player has paid already." },
    });
    const unknown = { bookingId, cashPaymentId: crypto.randomUUID() };
    expect(await post(gameId, { intent: "keep-cash", ...unknown })).toMatchObject({
      status: 404,
      result: { formError: "This booking is not there any more." },
    });
  });

  test("before kick-off nothing is late", async () => {
    const { gameId, unpaid } = await aMatch();
    const { bookingId } = await unpaid();
    expect(await read(gameId)).not.toContain("Not collected");
    expect(await post(gameId, { intent: "not-collected", bookingId })).toMatchObject({
      status: 409,
      result: { formError: "This can be recorded from kick-off." },
    });
  });
});

describe("adding a player", () => {
  const emailOf = async (id: string) => {
    const user = day.app.db.selectFrom("users").select("email").where("id", "=", id);
    return (await user.executeTakeFirstOrThrow()).email;
  };

  test.each([
    [{ payment: "credits" }, "10 credits were taken.", "Paid", 9_000],
    [{ payment: "nothing" }, "Unpaid, and no credits were taken.", "Unpaid", 10_000],
    [{}, "Unpaid, and no credits were taken.", "Unpaid", 10_000],
    [
      { payment: "cash", amount: "10", method: "Cash" },
      "Paid by hand: 10.00\u00a0€.",
      "Paid",
      10_000,
    ],
  ])("with %j", async (payment: Record<string, string>, text, status, balance) => {
    const { gameId } = await aMatch();
    const playerId = await ada(day.app.db);
    const added = await post(gameId, { intent: "add", playerId, ...payment });
    expect(added.toast?.description).toMatch(/^Ada Number/);
    expect(added.toast?.description).toContain(`. ${text} An email is sent.`);
    const player = (await open(gameId)).players.find((one) => one.playerId === playerId);
    expect(player?.paymentStatus).toBe(status);
    expect(await balanceCents(day.app.db, playerId)).toBe(balance);
  });

  test("sent again after the cash was taken back says that the seat is unpaid", async () => {
    const { gameId } = await aMatch();
    const [playerId, formKey] = [await ada(day.app.db), crypto.randomUUID()];
    const form = { intent: "add", playerId, formKey, payment: "cash", amount: "8", method: "Cash" };
    await post(gameId, form);
    const undo = { intent: "mark-unpaid", bookingId: formKey, cashPaymentId: formKey };
    await post(gameId, undo);
    const again = await post(gameId, form);
    expect(again.toast?.description).toMatch(/^Ada \w+\. Unpaid, and no credits were taken\./);
  });

  test("with too few credits fails with the balance, and keeps what was chosen", async () => {
    const { gameId } = await aMatch();
    const playerId = await aPlayer(day.app.db, { name: "Elli", credits: 3 });
    const who = await emailOf(playerId);
    const failed = await post(gameId, { intent: "add", who, payment: "credits" });
    expect(failed.status).toBe(402);
    expect(failed.result?.formError).toMatch(
      /^Not enough credits: Elli \w+ has 3 credits, and the game costs 10. Nobody was added.$/,
    );
    expect(failed.result?.values).toMatchObject({ who, payment: "credits" });
  });

  test("asks who it is with the chosen payment in the answers", async () => {
    const { gameId } = await aMatch();
    await Promise.all([1, 2].map(() => aPlayer(day.app.db, { name: "Vilja" })));
    const body = { intent: "add", who: "vilj", payment: "cash", amount: "5", method: "Other" };
    const site = await openSite(day.app);
    const { cookie } = day.admin;
    const answer = await site(`/admin/games/${gameId}`, {
      cookie,
      body: new URLSearchParams(body),
    });
    const forms = (await answer.text()).match(/<form[\s\S]*?<\/form>/g)!;
    const choices = forms.filter((form) => /name="playerId" value="[^"]/.test(form));
    expect(choices).toHaveLength(2);
    for (const form of choices) {
      expect(form).toContain('name="payment" value="cash"');
      expect(form).toContain('name="amount" value="5"');
      expect(form).toContain('name="method" value="Other"');
      // Where it fails, the field names who was chosen.
      expect(form).toMatch(/name="who" value="[^"]+@/);
    }
  });

  test("who has no account gets a link, also as a QR code, that leads back to the game", async () => {
    const { gameId } = await aMatch();
    const { result } = await post(gameId, { intent: "add", who: "Nobody Known" });
    const { address, qrCode } = result!.signUp!;
    const { pathname, searchParams, origin } = new URL(address);
    expect([origin, pathname]).toEqual([day.app.env.appUrl, "/auth"]);
    expect(searchParams.get("redirectTo")).toBe(`/events/${gameId}`);
    expect(qrCode.squares).toMatch(/^M\d+ \d+h1v1h-1z/);
    const page = await readAsVisitor(pathname + new URL(address).search);
    expect(page).toContain(`name="redirectTo" value="/events/${gameId}"`);
  });
});
