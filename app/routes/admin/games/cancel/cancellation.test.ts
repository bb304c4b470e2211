import { beforeAll, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aVenue, balanceCents, hoursLater, NOW } from "#test/fixtures.ts";
import { aPlan } from "#test/games.ts";
import { textOf } from "#test/screen.tsx";
import { signIn, visit } from "#test/visit.ts";
import { openSite } from "#test/whole-site.ts";
import { refundUnfinished } from "#app/features/organise/bulk-cancellations.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { createGames } from "#app/features/games/create-games.server.ts";
import type { App } from "#app/routes/context.server.ts";
import * as cancelPage from "./cancel.tsx";
import type { CancelView } from "./view.server.ts";

const database = useDatabase();
let app: App;
let now = NOW;
let [actorId, cookie] = ["", ""];
beforeAll(async () => {
  app = testApp(database, () => now);
  ({ cookie, id: actorId } = await anAdmin(app));
});

async function join(gameId: string) {
  const playerId = await ada(app.db);
  const joined = await joinGame(app.db, app.jobs, { gameId, playerId, now: NOW });
  if (!joined.ok) throw new Error(joined.reason);
  return { playerId, bookingId: joined.bookingId };
}

/** A refund of this booking is there already, so that another fails until it is taken away. */
async function block({ playerId, bookingId }: Awaited<ReturnType<typeof join>>) {
  const business_key = `refund:${bookingId}`;
  const entry = { user_id: playerId, type: "refund" as const, amount_eur: "10.00", business_key };
  await app.db
    .insertInto("wallet_transactions")
    .values({ ...entry, status: "pending" })
    .execute();
  return async () => {
    await database.pool.query("alter table wallet_transactions disable trigger all");
    const blocking = app.db.deleteFrom("wallet_transactions");
    await blocking.where("business_key", "=", business_key).execute();
    await database.pool.query("alter table wallet_transactions enable trigger all");
  };
}

async function read(path: string, session = cookie) {
  const html = await (await (await openSite(app))(path, { cookie: session })).text();
  return { html, text: textOf(html.replaceAll(/<script\b.*?<\/script>/gs, "")) };
}

async function cancelSeries(gameId: string) {
  const path = `/admin/games/${gameId}/cancel?scope=following`;
  const { data } = await visit(app, cancelPage.loader, { path, cookie });
  const { view, formKey } = data as unknown as { view: CancelView; formKey: string };
  const body = { intent: "cancel", games: view.shown, formKey, message: "" };
  return (await visit(app, cancelPage.action, { path, cookie, body })).headers.get("Location")!;
}

test("until all refunds are done, their page, the overview and the player's pages say so", async () => {
  const plan = aPlan(await aVenue(app.db));
  const wish = { plan, weeks: 3, status: "Published" as const, actorId, now: NOW };
  const made = await createGames(app.db, wish);
  const [first = "", second = ""] = made.ok ? made.gameIds : [];
  const [done, open] = [await join(first), await join(second)];
  const unblock = await block(open);
  const path = await cancelSeries(first);
  expect(path).toMatch(/^\/admin\/games\/cancellations\//);

  const { html, text } = await read(path);
  expect(text).toContain("|3 games cancelled|");
  expect(text).toContain(
    "|2 of 3 games refunded.|1 booking has ended, with an email. 10 credits came back.|",
  );
  expect(text).toMatch(/Dec 9, 2026, .*\|Refunds of 1 player to come\|/);
  expect(html).toContain('<noscript><meta http-equiv="refresh" content="5"/></noscript>');
  const overview = async () => (await read("/admin")).text;
  expect(await overview()).toContain("|1 cancellation under way| |2 of 3 games refunded|");
  expect((await read(`/admin/games/${second}`)).text).toContain(
    "The refunds of 1 player are under way.",
  );
  const session = await signIn(app, open.playerId);
  const DUE = "What you paid or used comes back shortly, with an email.";
  const bookings = (await read("/bookings", session)).text;
  expect(bookings).toContain(`cancelled by the organiser|. ${DUE}`);
  expect(bookings).not.toContain("Cancel booking");
  expect((await read(`/events/${second}`, session)).text).toContain(DUE);

  now = hoursLater(0.1);
  cookie = await signIn(app, actorId);
  expect(await overview()).toMatch(/\|2 of 3 games refunded, begun Sat, Nov 21, 12:00\|/);
  expect((await read(path)).text).toContain("This takes longer than it should.");

  await unblock();
  await refundUnfinished(app.db, app.jobs, now);
  const finished = await read(path);
  expect(finished.text).toContain(
    "|All refunds are done.|2 bookings have ended, each with an email. 20 credits came back.|",
  );
  expect(finished.html).not.toContain('http-equiv="refresh"');
  expect(await overview()).not.toContain("under way");
  expect((await read(`/events/${second}`, session)).text).toContain(
    "10 credits are back in your wallet.",
  );
  for (const { playerId } of [done, open]) {
    expect(await balanceCents(app.db, playerId)).toBe(10_000);
  }
});
