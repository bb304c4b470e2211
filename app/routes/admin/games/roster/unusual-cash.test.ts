import { beforeAll, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { anAdmin } from "#test/admin.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aPlayer, NOW } from "#test/fixtures.ts";
import { toastAfter, visit } from "#test/visit.ts";
import { openSite } from "#test/whole-site.ts";
import { addPlayer } from "#app/features/roster/add-player.server.ts";
import type { App } from "#app/routes/context.server.ts";
import type { Roster } from "#app/routes/admin/games/game-view.server.ts";
import { action, loader } from "#app/routes/admin/games/show.tsx";
import type { RosterResult } from "./roster-actions.server.ts";

const database = useDatabase();
let app: App;
let admin: Awaited<ReturnType<typeof anAdmin>>;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  admin = await anAdmin(app);
});

const at = (gameId: string) => ({ path: `/admin/games/${gameId}`, cookie: admin.cookie });
async function post(gameId: string, body: Record<string, string>) {
  const { status, headers, data } = await visit(app, action, { ...at(gameId), body });
  const toast = status === 302 ? await toastAfter(app, headers) : null;
  return { status, toast, result: data as RosterResult | null };
}

/** A game about to kick off, with Bo in it, who has not paid. */
async function aMatch() {
  const { db, jobs } = app;
  const [gameId, bo] = [await aGame(db, { startsIn: 0.5 }), await aPlayer(db, { name: "Bo" })];
  await addPlayer(db, jobs, { gameId, playerId: bo, actorId: admin.id, now: NOW });
  const unpaid = async () => {
    const { roster } = (await visit(app, loader, at(gameId))).data as { roster: Roster };
    return roster.players.find(({ playerId }) => playerId === bo)!;
  };
  return { gameId, unpaid };
}

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
  const twins = await Promise.all([1, 2].map(() => aPlayer(app.db, { name: "Aliisa" })));
  const body = { intent: "add", who: "aliisa", amount: "75", method: "Cash" };
  const asked = await post(gameId, { ...body, payment: "cash" });
  const { key } = asked.result!.unusualCash!;
  const yes = { ...body, confirmed: key };
  const site = await openSite(app);
  const form = { cookie: admin.cookie, body: new URLSearchParams(yes) };
  const page = await (await site(`/admin/games/${gameId}`, form)).text();
  const choices = page.match(/<form[\s\S]*?<\/form>/g)!;
  const [choice] = choices.filter((one) => one.includes(`value="${twins[0]}"`));
  expect(choice).toContain(`name="confirmed" value="${key}"`);
  expect(choice).toContain('name="payment" value="cash"');
  const chosen = { ...yes, payment: "cash", playerId: twins[0]! };
  const { toast } = await post(gameId, chosen);
  expect(toast?.description).toContain("Paid by hand: 75.00\u00a0€.");
});
