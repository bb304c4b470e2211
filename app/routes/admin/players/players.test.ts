import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { anAdmin, aPayer } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { signIn, toastAfter, visit } from "#test/visit.ts";
import { aGame, ada, balanceCents, ben, NOW } from "#test/fixtures.ts";
import { addPlayer } from "#app/features/roster/add-player.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { topUp } from "#app/features/wallet/ledger.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import { log } from "#app/platform/log.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { loader as games } from "#app/routes/games/list/list.tsx";
import { loader as list } from "./list.tsx";
import { action, loader } from "./show.tsx";

const database = useDatabase();
let app: App;
let admin: Awaited<ReturnType<typeof anAdmin>>;
let playerId: string;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  admin = await anAdmin(app);
});
beforeEach(async () => {
  playerId = await ada(app.db);
});

async function search(query: string) {
  const path = `/admin/players${query}`;
  return (await visit(app, list, { path, cookie: admin.cookie })).data;
}
async function open(query = "", id = playerId) {
  const path = `/admin/players/${id}${query}`;
  const { status, data: page } = await visit(app, loader, { path, cookie: admin.cookie });
  return { status, page };
}
async function post(fields: Record<string, string>, { id = playerId, cookie = admin.cookie } = {}) {
  const request = { path: `/admin/players/${id}`, cookie, body: fields };
  const { status, headers, data } = await visit(app, action, request);
  const toast = await toastAfter(app, headers);
  return { status, to: headers.get("Location"), toast, result: data as FormResult | null };
}
const correction = (change: object = {}) => ({
  ...{ intent: "correct-balance", formKey: crypto.randomUUID(), direction: "give" },
  ...{ amount: "5", reason: "Rained off", ...change },
});
const tick = (intent: string, fields: object = {}) => ({ intent, confirmed: "1", ...fields });

describe("the list", () => {
  test("finds by words and keeps them on every page", async () => {
    const wanted = [...Array(51)].map(() => ben(app.db));
    await Promise.all(wanted);
    const first = await search("?q=BEN");
    expect(first.players).toHaveLength(50);
    expect(first.players[0]).toMatchObject({ balance: "0 credits", isSuspended: false });
    expect(first).toMatchObject({ filter: { words: "BEN" }, pages: { first: null } });
    const next = new URL(first.pages.next!, "http://kickabout.test");
    expect(next.searchParams.get("q")).toBe("BEN");
    const second = await search(next.search);
    expect(second).toMatchObject({
      pages: { first: "/admin/players?q=BEN", next: null },
    });
    const ids = [...first.players, ...second.players].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("shows who is an admin", async () => {
    const { players } = await search(`?q=${admin.email}`);
    expect(players).toMatchObject([{ id: admin.id, isAdmin: true }]);
  });
});

const FREE = { is_first_session_free: true };

describe("the page", () => {
  test("does not call a seat free that was settled with the organiser", async () => {
    const [elsewhere, free] = [await aGame(app.db), await aGame(app.db, FREE)];
    const addition = { gameId: elsewhere, playerId, actorId: admin.id, now: NOW };
    await addPlayer(app.db, app.jobs, addition);
    await joinGame(app.db, app.jobs, { gameId: free, playerId, now: NOW });
    const { page } = await open();
    const prices = new Map(page.next.map(({ gameId, price }) => [gameId, price]));
    expect([prices.get(elsewhere), prices.get(free)]).toEqual(["No credits", "Free session"]);
  });

  test("shows profile, bookings, balance and statement", async () => {
    const gameId = await aGame(app.db);
    await joinGame(app.db, app.jobs, { gameId, playerId, now: NOW });
    const { page } = await open();
    expect(page).toMatchObject({
      player: { balance: "90 credits", isAdmin: false, suspension: null, debt: null },
      next: [{ gameId, price: "10 credits", status: "Paid" }],
      earlier: [],
      entries: [{ name: "Game Payment" }, { name: "Credit Top-up" }],
      olderBefore: null,
    });
  });

  test("shows the statement page by page", async () => {
    for (let n = 0; n < 50; n += 1) {
      await topUp(app.db, { userId: playerId, amountCents: 100, key: `${playerId} ${n}` });
    }
    const { page } = await open();
    expect(page.entries).toHaveLength(50);
    const older = await open(`?before=${page.olderBefore}`);
    expect(older.page).toMatchObject({ entries: [{ balance: "100" }], hasNewer: true });
    expect(older.page.entries).toHaveLength(1);
  });

  test.each(["x", crypto.randomUUID()])("is not found for %j", async (id) => {
    expect((await open("", id)).status).toBe(404);
    expect((await post(correction(), { id })).status).toBe(404);
  });

  test("does not take a form that it does not have", async () => {
    expect(await post({ intent: "erase" })).toMatchObject({
      status: 400,
      result: { title: "Error", formError: "Failed to process request" },
    });
  });
});

describe("the balance", () => {
  test("a double click books once", async () => {
    const fields = correction({ amount: " 9,01 " });
    const upper = { ...fields, formKey: fields.formKey.toUpperCase() };
    expect(await post(fields)).toMatchObject({
      status: 302,
      to: `/admin/players/${playerId}`,
      toast: { title: "Balance corrected", description: "+9.01 credits." },
    });
    for (const { toast } of [await post(fields), await post(upper)]) {
      expect(toast?.description).toBe("This had been booked already, and only once.");
    }
    expect(await balanceCents(app.db, playerId)).toBe(10_901);
  });

  test("is taken from, and never below 0", async () => {
    const take = correction({ direction: "take", amount: "99.50" });
    expect((await post(take)).toast?.description).toBe("−99.50 credits.");
    const more = correction({ direction: "take", amount: "0.51" });
    const { intent: _, formKey: __, ...typed } = more;
    expect(await post(more)).toMatchObject({
      status: 409,
      result: { fieldErrors: { amount: "Only 0.50 credits can be taken" }, values: typed },
    });
    expect(await balanceCents(app.db, playerId)).toBe(50);
  });

  test.each([
    [{ amount: "" }, "amount"],
    [{ amount: "0" }, "amount"],
    [{ amount: "-5" }, "amount"],
    [{ amount: "1.234" }, "amount"],
    [{ amount: "1e3" }, "amount"],
    [{ reason: " \0 " }, "reason"],
    [{ reason: "x".repeat(201) }, "reason"],
    [{ direction: "keep" }, "direction"],
    [{ formKey: "k" }, "formKey"],
  ])("rejects %j", async (change, field) => {
    const { status, result } = await post(correction(change));
    expect([status, Object.keys(result?.fieldErrors ?? {})]).toEqual([422, [field]]);
    expect(await balanceCents(app.db, playerId)).toBe(10_000);
  });

  test.each(["99999", "9999.01", "-5", "0"])(
    "names the limits where the amount is %s",
    async (amount) => {
      const { result } = await post(correction({ amount }));
      expect(result?.fieldErrors?.amount).toContain("at most 9,999 credits");
    },
  );

  test("above 100 credits is confirmed, with exactly that amount", async () => {
    const much = correction({ amount: "100.01" });
    expect(await post(much)).toMatchObject({
      status: 422,
      result: {
        confirmation: {
          title: expect.stringMatching(/^Give 100.01 credits to Ada /),
          text: "The balance is 100 credits and becomes 200.01 credits.",
        },
      },
    });
    for (const confirmed of ["1", "10002", "-10001", "100.01"]) {
      expect((await post({ ...much, confirmed })).status).toBe(422);
    }
    expect(await balanceCents(app.db, playerId)).toBe(10_000);
    expect((await post({ ...much, confirmed: "10001" })).status).toBe(302);
    expect((await post({ ...much, confirmed: "10001" })).status).toBe(302);
    expect(await balanceCents(app.db, playerId)).toBe(20_001);
    const taken = correction({ direction: "take", amount: "150" });
    expect((await post(taken)).result).toMatchObject({
      confirmation: { text: "The balance is 200.01 credits and becomes 50.01 credits." },
    });
    expect((await post(correction({ amount: "100" }))).status).toBe(302);
  });

  test("rejects a form that was sent before with another amount", async () => {
    const fields = correction();
    await post(fields);
    expect(await post({ ...fields, amount: "6" })).toMatchObject({ status: 409 });
    expect(await balanceCents(app.db, playerId)).toBe(10_500);
  });
});

describe("a suspension", () => {
  const suspend = (fields = {}) => post(tick("suspend", { reason: "Fights", ...fields }));

  test("ends the player's next request, and is lifted again", async () => {
    const cookie = await signIn(app, playerId);
    const look = async () => (await visit(app, games, { path: "/events", cookie })).status;
    expect(await look()).toBe(200);
    expect((await suspend()).toast?.title).toBe("Account suspended");
    expect(await look()).toBe(302);
    expect((await open()).page.player.suspension).toEqual({
      since: "Nov 21, 2026",
      reason: "Fights",
    });
    expect((await post({ intent: "unsuspend" })).toast?.title).toBe("Suspension lifted");
    expect((await open()).page.player.suspension).toBeNull();
  });

  test("needs a reason and a tick", async () => {
    const { status, result } = await suspend({ reason: " ", confirmed: "" });
    expect([status, result?.fieldErrors]).toEqual([
      422,
      { reason: "Reason is required", confirmed: "Tick the box to go on" },
    ]);
  });

  test("fails twice, and of oneself", async () => {
    await suspend();
    expect((await suspend()).status).toBe(409);
    const self = await post(tick("suspend", { reason: "Tired" }), { id: admin.id });
    expect(self).toMatchObject({
      status: 409,
      result: { formError: "You cannot suspend yourself." },
    });
  });
});

describe("the admin role", () => {
  test("is given, and their next request opens the admin pages", async () => {
    const cookie = await signIn(app, playerId);
    const look = async () => (await visit(app, list, { path: "/admin/players", cookie })).status;
    expect(await look()).toBe(403);
    expect((await post(tick("make-admin"))).toast?.title).toBe("Made an admin");
    expect(await look()).toBe(200);
    expect((await post(tick("unmake-admin"))).toast?.title).toBe("Admin role taken away");
    expect(await look()).toBe(403);
  });

  test("needs a tick, and stays with the last admin", async () => {
    expect((await post({ intent: "make-admin" })).status).toBe(422);
    const { status, result } = await post(tick("unmake-admin"), { id: admin.id });
    expect([status, result?.formError]).toEqual([
      409,
      "This is the last admin who can sign in. Make somebody else an admin first.",
    ]);
  });

  test("given up by oneself leads away from the admin pages", async () => {
    const other = await anAdmin(app);
    const { to } = await post(tick("unmake-admin"), { id: other.id, cookie: other.cookie });
    expect(to).toBe("/events");
  });
});

const typed: Record<string, Record<string, string>> = {
  "correct-balance": { direction: "take", amount: "1,50", reason: "Lost bib" },
  suspend: { reason: "Fights", confirmed: "1" },
  "make-admin": { confirmed: "1" },
};

test.each(Object.entries(typed))(
  "%s keeps what was typed when it breaks",
  async (intent, values) => {
    const logged = vi.spyOn(log, "error").mockImplementation(() => {});
    await database.pool.query("alter table audit_log rename to away");
    const posted = await post({ ...correction(), intent, ...values });
    await database.pool.query("alter table away rename to audit_log");
    expect(posted).toMatchObject({ status: 500, result: { form: intent, values } });
    expect(posted.result?.formError).toBe("Nothing was saved. Please try again.");
    expect(logged).toHaveBeenCalled();
    logged.mockRestore();
    expect((await open()).page.player).toMatchObject({ balance: "100 credits", suspension: null });
  },
);

test("a player cannot correct a balance", async () => {
  const { id } = await aPayer(app);
  const cookie = await signIn(app, id);
  expect((await post(correction(), { cookie })).status).toBe(403);
  expect(await balanceCents(app.db, playerId)).toBe(10_000);
});
