import { describe, expect, test } from "vitest";
import { useMatchDay } from "#test/match-day.ts";
import { anAdmin } from "#test/admin.ts";
import { visit } from "#test/visit.ts";
import { openSite } from "#test/whole-site.ts";
import { ada, aGame, NOW } from "#test/fixtures.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { loader as list } from "#app/routes/admin/games/list.tsx";

const day = useMatchDay();
const { open, post, aMatch } = day;

const read = async (path: string, cookie = day.admin.cookie) =>
  (await (await openSite(day.app))(path, { cookie })).text();

test("the rest is checked in, and a form of a game that is not on says so", async () => {
  const { gameId, bookingId } = await aMatch();
  const { players } = await open(gameId);
  const bookingIds = players.map((one) => one.bookingId).join();
  const form = { intent: "check-in-rest", bookingIds, formKey: crypto.randomUUID() };
  expect((await post(gameId, form)).toast).toMatchObject({ title: "2 players checked in" });
  expect((await open(gameId)).players.map(({ attendance }) => attendance)).toEqual([
    ...["CheckedIn", "CheckedIn"],
  ]);
  const again = { ...form, bookingIds: bookingId, formKey: crypto.randomUUID() };
  expect((await post(gameId, again)).toast).toMatchObject({ title: "Nobody was left to check in" });
  const games = day.app.db.updateTable("games").set({ status: "Cancelled" });
  await games.where("id", "=", gameId).execute();
  expect(await post(gameId, { ...again, formKey: crypto.randomUUID() })).toMatchObject({
    ...{ status: 409, result: { form: "check-in-rest" } },
  });
});

async function begin(gameId: string) {
  const games = day.app.db.updateTable("games").set({ start_time: "11:30" });
  await games.where("id", "=", gameId).execute();
}

test("a result checks in, by its second button, those who were shown as not marked", async () => {
  const { gameId, bookingId } = await aMatch();
  await begin(gameId);
  const score = { intent: "result", firstScore: "1", secondScore: "0", bookingIds: bookingId };
  const marks = async () => (await open(gameId)).players.map(({ attendance }) => attendance);
  const alone = await post(gameId, { ...score, formKey: crypto.randomUUID() });
  expect(alone.toast?.description).toBe("The player cards show it.");
  expect(await marks()).toEqual([null, null]);
  const form = { ...score, version: "1", withRest: "1", formKey: crypto.randomUUID() };
  const wrong = await post(gameId, { ...form, firstScore: "x" });
  expect(wrong).toMatchObject({ status: 422, result: { values: { firstScore: "x" } } });
  expect(await marks()).toEqual([null, null]);
  const both = await post(gameId, form);
  expect(both.toast?.description).toBe("The player cards show it. 1 player checked in.");
  expect((await marks()).toSorted()).toEqual(["CheckedIn", null]);
  const again = await post(gameId, { ...form, formKey: crypto.randomUUID() });
  expect(again.toast?.description).toBe("The player cards show it. Nobody was left to check in.");
});

test("a result is not saved without those that it was to check in", async () => {
  const { gameId, bookingId } = await aMatch();
  await begin(gameId);
  await day.database.pool.query(`
    create function mark_nobody() returns trigger language plpgsql as
      $$ begin raise exception 'no marks today'; end $$;
    create trigger mark_nobody before update of attendance on bookings
      for each row execute function mark_nobody()`);
  const score = { intent: "result", firstScore: "1", secondScore: "0", bookingIds: bookingId };
  const form = { ...score, formKey: crypto.randomUUID() };
  expect((await post(gameId, { ...form, withRest: "1" })).status).toBe(500);
  await day.database.pool.query("drop function mark_nobody cascade");
  expect((await open(gameId)).result).toBeNull();
});

test("a player who just came is added and checked in at once, but not days before", async () => {
  const add = async (gameId: string, fields: Record<string, string>) => {
    const playerId = await ada(day.app.db);
    const form = { intent: "add", playerId, formKey: crypto.randomUUID(), ...fields };
    for (let n = 0; n < 2; n += 1) expect((await post(gameId, form)).status).toBe(302);
    return (await open(gameId)).players.find((one) => one.playerId === playerId)!;
  };
  const { gameId } = await aMatch();
  const cash = { payment: "cash", amount: "10", method: "Cash" };
  expect(await add(gameId, { ...cash, isHere: "1" })).toMatchObject({
    ...{ attendance: "CheckedIn", paymentStatus: "Paid" },
  });
  expect(await add(gameId, { payment: "credits", isHere: "1" })).toMatchObject({
    attendance: "CheckedIn",
  });
  expect(await add(gameId, cash)).toMatchObject({ attendance: null });
  const entries = day.app.db.selectFrom("audit_log").select("id");
  const marks = entries
    .where("action", "=", "booking.attendance")
    .where("actor", "=", day.admin.id);
  const before = (await marks.execute()).length;
  const { gameId: later } = await aMatch({ startsIn: 48 });
  expect(await add(later, { ...cash, isHere: "1" })).toMatchObject({ attendance: null });
  expect(await marks.execute()).toHaveLength(before);
  expect(await read(`/admin/games/${gameId}`)).toContain('name="isHere"');
  expect(await read(`/admin/games/${later}`)).not.toContain('name="isHere"');
});

test("an amount that was typed is not lost by the Enter key, which adds a player unpaid", async () => {
  const { gameId } = await aMatch();
  const form = { intent: "add", playerId: await ada(day.app.db), payment: "nothing" };
  expect(await post(gameId, { ...form, amount: "7,50" })).toMatchObject({
    ...{ status: 422, result: { fieldErrors: { amount: expect.stringMatching(/^Press/) } } },
  });
  expect((await open(gameId)).players).toHaveLength(2);
  expect((await post(gameId, { ...form, amount: "10.00" })).status).toBe(302);
});

test("a tap that the browser has kept for another admin is not saved", async () => {
  const { gameId, bookingId } = await aMatch();
  const other = await anAdmin(day.app);
  const tap = { intent: "attendance", bookingId, from: "", to: "CheckedIn", account: other.id };
  const site = await openSite(day.app);
  const send = async (cookie: string) => {
    const response = await site(`/admin/games/${gameId}/tap`, {
      cookie,
      body: new URLSearchParams({ ...tap, tapId: crypto.randomUUID() }),
    });
    return { status: response.status, result: await response.json() };
  };
  const problem = "Not saved: another admin is signed in here now.";
  expect(await send(day.admin.cookie)).toEqual({ status: 403, result: { ok: false, problem } });
  expect(await send(other.cookie)).toEqual({
    ...{ status: 200, result: { ok: true, current: "CheckedIn", version: 1 } },
  });
});

describe("who is no longer in", () => {
  test("is listed with when, why and what came back", async () => {
    const { gameId, playerId, bookingId } = await aMatch({ startsIn: 48 });
    const reason = "Injured my knee";
    await cancelBooking(day.app.db, day.app.jobs, { bookingId, playerId, reason, now: NOW });
    const { former } = await open(gameId);
    expect(former).toMatchObject([
      {
        ...{ bookingId, reason, how: "Cancelled Nov 21, 2026, 12:00" },
        ...{ back: "9.01 credits back", isCalledOff: false },
      },
    ]);
    const html = await read(`/admin/games/${gameId}`);
    expect(html).toContain("Cancelled (<!-- -->1<!-- -->)");
    expect(html).toContain(reason);
  });

  test.each([
    [10, "No credits back yet: 9.01 credits once the spot is taken"],
    [50, "9.01 credits back"],
  ])("%s hours before kick-off: %s", async (startsIn, back) => {
    const { gameId, playerId, bookingId } = await aMatch({ startsIn });
    await cancelBooking(day.app.db, day.app.jobs, { bookingId, playerId, now: NOW });
    expect((await open(gameId)).former).toMatchObject([{ back }]);
  });

  test("of a cancelled game stays listed, with the phone, on the page and in the file", async () => {
    const { gameId, playerId } = await aMatch({ startsIn: 48 });
    const facts = { phone: "+358 40 123 4567", last_name: "Kari" };
    await day.app.db.updateTable("profiles").set(facts).where("user_id", "=", playerId).execute();
    await cancelGame(day.app.db, day.app.jobs, { gameId, now: NOW });
    const { players, former } = await open(gameId);
    expect(players).toEqual([]);
    expect(former).toMatchObject([
      { name: "Ada Kari", phone: facts.phone, back: "10 credits back", isCalledOff: true },
      { back: "No credits back", isCalledOff: true },
    ]);
    const html = await read(`/admin/games/${gameId}`);
    expect(html).toContain("+358 40 123 4567");
    expect(html).toContain(`/admin/games/${gameId}/players.csv`);
    const [, line] = (await read(`/admin/games/${gameId}/players.csv`)).split("\r\n");
    expect(line).toMatch(
      /^Ada Kari,,\+358 40 123 4567,ada\d+@uni.example,Refunded,,,10\.00,,,,10\.00$/,
    );
  });
});

test("the file says who came, what was paid by hand and what is unpaid", async () => {
  const { gameId, bookingId, unpaid } = await aMatch();
  await begin(gameId);
  await post(gameId, { intent: "attendance", bookingId, from: "", to: "NoShow" });
  const file = async () => (await read(`/admin/games/${gameId}/players.csv`)).split("\r\n");
  const before = await file();
  expect(before[1]).toMatch(/^Ada .*,Paid,No-show,,10\.00,,,,$/);
  expect(before[2]).toMatch(/^Bo .*,Unpaid,,,0\.00,10\.00,,,$/);
  const { bookingId: seat, cashPaymentId } = await unpaid();
  const cash = { intent: "mark-paid", amount: "8", method: "Cash", bookingId: seat, cashPaymentId };
  await post(gameId, cash);
  expect((await file())[2]).toMatch(/^Bo .*,Paid,,,0\.00,,8\.00,Cash,$/);
});

test("on paper a box is empty only where something is open", async () => {
  const { gameId, bookingId, unpaid } = await aMatch();
  await post(gameId, { intent: "attendance", bookingId, from: "", to: "CheckedIn" });
  const rows = async () => {
    const html = await read(`/admin/games/${gameId}/print`);
    return html
      .match(/<tr class="break-inside[\s\S]*?<\/tr>/g)!
      .map((row) =>
        [...row.matchAll(/<td class="px-1[^>]*>([\s\S]*?)<\/td>/g)].map(([, cell]) =>
          cell!.replace(/<[^>]+>/g, ""),
        ),
      );
  };
  const open = "to fill in";
  expect(await rows()).toEqual([
    ["✓", "Paid", open, open],
    [open, "Unpaid", open, open],
  ]);
  const { bookingId: seat, cashPaymentId } = await unpaid();
  const cash = { intent: "mark-paid", amount: "8", method: "Cash", bookingId: seat, cashPaymentId };
  await post(gameId, cash);
  const goals = { goals: 2, has_won: true };
  await day.app.db.updateTable("bookings").set(goals).where("id", "=", bookingId).execute();
  expect(await rows()).toEqual([
    ["✓", "Paid", "2", "✓"],
    [open, "8.00\u00a0€ (cash)", open, open],
  ]);
});

test("on the roster suspended players and repeated no-shows are marked", async () => {
  const { gameId, bo } = await aMatch();
  const suspended = { suspended_at: NOW, suspended_reason: "Fights" };
  await day.app.db.updateTable("users").set(suspended).where("id", "=", bo).execute();
  const missed = async (startsIn: number) => {
    const seat = { user_id: bo, payment_status: "Paid" as const, attendance: "NoShow" as const };
    const game_id = await aGame(day.app.db, { startsIn });
    await day.app.db
      .insertInto("bookings")
      .values({ ...seat, game_id, price_eur: "0" })
      .execute();
  };
  await missed(-24);
  expect(await read(`/admin/games/${gameId}`)).not.toContain("no-shows");
  await missed(-48);
  const html = await read(`/admin/games/${gameId}`);
  expect(html).toContain(">2 no-shows</span>");
  expect(html).toContain(">Suspended</span>");
});

describe("unpaid seats", () => {
  const games = async (query: string) => {
    const { data } = await visit(day.app, list, {
      path: `/admin/games${query}`,
      cookie: day.admin.cookie,
    });
    return data as { due: { text: string }[]; games: { id: string; notes: string }[] };
  };

  test("are counted over all games, and found by a filter", async () => {
    const { gameId } = await aMatch();
    const without = await aGame(day.app.db, { startsIn: 0.5 });
    const past = await aMatch({ startsIn: 1 });
    await day.app.db
      .updateTable("games")
      .set({ date: "2026-11-19", start_time: "10:00", end_time: "11:00" })
      .where("id", "=", past.gameId)
      .execute();
    const found = await games("?pays=unpaid");
    expect(found.due.map(({ text }) => text)).toEqual([
      "1 unpaid seat in 1 played game",
      expect.stringMatching(/^\d+ unpaid seats in \d+ upcoming games$/),
    ]);
    const ids = found.games.map(({ id }) => id);
    expect(ids).toContain(gameId);
    expect(ids).not.toContain(without);
    expect(ids).not.toContain(past.gameId);
    expect(found.games.find(({ id }) => id === gameId)?.notes).toBe("1 unpaid");
    const all = (await games("?pays=unpaid&when=all")).games.map(({ id }) => id);
    expect(all).toContain(past.gameId);
    expect((await games("?when=all")).games.map(({ id }) => id)).toContain(without);
  });
});
