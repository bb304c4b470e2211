import { openSite } from "#test/whole-site.ts";
import { beforeAll, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { signIn, visit } from "#test/visit.ts";
import { ada, aGame, aVenue, ben, NOW } from "#test/fixtures.ts";
import { deliverEvents, singlePurchase, somePacks } from "#test/payments.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { correctBalance } from "#app/features/wallet/correct-balance.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { loader } from "./statement-file.ts";

const database = useDatabase();
let app: App;
beforeAll(() => {
  app = testApp(database, () => NOW);
});

/** The file as it arrives, with its bytes. */
async function download(userId: string): Promise<{ response: Response; text: string }> {
  const Cookie = await signIn(app, userId);
  const site = await openSite(app);
  const response = await site("/wallet/statement.csv", { cookie: Cookie });
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await response.arrayBuffer());
  return { response, text };
}

const entry = (userId: string, at: string, note: string | null, amount = "10") =>
  database.pool.query(
    `insert into wallet_transactions (user_id, type, amount_eur, notes, created_at)
     values ($1, case when $3::numeric < 0 then 'deduction' else 'topup' end, $3, $2, $4)`,
    [userId, note, amount, at],
  );

test("a file of its own, newest first, in Helsinki's time, with a point in its amounts", async () => {
  const userId = await ben(app.db);
  await entry(userId, "2026-11-20T22:30:00Z", "Single game", "10.00");
  await entry(userId, "2026-11-21T08:00:00Z", null, "-9.01");
  await database.pool.query(
    "update credit_lots set expires_at = '2026-12-31T22:00:00Z' where user_id = $1",
    [userId],
  );
  const { response, text } = await download(userId);
  expect(text).toBe(
    "\uFEFFdate,time,type,note,amount,balance,expires,venue,game,receipt\r\n" +
      "2026-11-21,10:00:00,Game Payment,,-9.01,0.99,,,,\r\n" +
      "2026-11-21,00:30:00,Credit Top-up,Single game,10.00,10.00,2027-01-01 00:00:00,,,\r\n",
  );
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": 'attachment; filename="statement-2026-11-21.csv"',
    "cache-control": "private, no-store",
  });
});

test("what somebody wrote stays text: no formula, no cell or row of its own", async () => {
  const userId = await ben(app.db);
  const notes = [
    '=HYPERLINK("https://evil.example","x")',
    "+1",
    "-1",
    "@x",
    "\tx",
    "\rx",
    'a,"b"\nc',
  ];
  for (const note of notes) await entry(userId, "2026-11-21T08:00:00Z", note);
  const { text } = await download(userId);
  const cells = text
    .split(/(?<=0{2},,,,)\r\n/)
    .slice(0, -1)
    .map((row) => row.split("Credit Top-up,")[1]?.split(",10.00,")[0]);
  expect(cells.toReversed()).toEqual([
    '"\'=HYPERLINK(""https://evil.example"",""x"")"',
    "'+1",
    "'-1",
    "'@x",
    "\tx",
    '"\rx"',
    '"a,""b""\nc"',
  ]);
});

test("2,500 entries in three parts: all of them, each once, with their balances", async () => {
  const userId = await ben(app.db);
  await database.pool.query(
    `insert into wallet_transactions (user_id, type, amount_eur, business_key)
     select $1::uuid, 'topup', 1, $1 || ':' || n from generate_series(1, 2500) n`,
    [userId],
  );
  const rows = (await download(userId)).text.trimEnd().split("\r\n").slice(1);
  expect(rows.map((row) => row.split(",")[5])).toEqual(
    Array.from({ length: 2_500 }, (_, n) => `${2_500 - n}.00`),
  );
});

test("only one's own, and an empty one has its heading", async () => {
  const [one, other] = [await ada(app.db), await ben(app.db)];
  const grant = { userId: one, amountCents: 100, reason: "Secret", actor: "test", key: "secret" };
  await correctBalance(app.db, app.jobs, grant);
  expect((await download(other)).text).toBe(
    "\uFEFFdate,time,type,note,amount,balance,expires,venue,game,receipt\r\n",
  );
  expect((await download(one)).text).toContain("Secret");
});

test("what was paid for a game, and what came back, names the venue and the kick-off", async () => {
  const userId = await ada(app.db);
  const venue_id = await aVenue(app.db, { name: "=Hall, 2" });
  const gameId = await aGame(app.db, { startsIn: 48, venue_id });
  await joinGame(app.db, app.jobs, { gameId, playerId: userId, now: NOW });
  const [, payment = "", topUp = ""] = (await download(userId)).text.split("\r\n");
  expect(payment).toMatch(
    /,Game Payment,Joined a game,-10\.00,90\.00,,"'=Hall, 2",2026-11-23 12:00,$/,
  );
  expect(topUp).toMatch(/,100\.00,100\.00,,,,$/);
});

test("a purchase has the number of its receipt, and other credits have none", async () => {
  await somePacks(app.db);
  const userId = await ada(app.db);
  await deliverEvents(database, singlePurchase(userId).completed);
  const [, purchase = "", topUp = ""] = (await download(userId)).text.split("\r\n");
  expect(purchase).toMatch(/,Single game,10\.00,110\.00,,,,\d{4}-\d{4}$/);
  expect(topUp).toMatch(/,100\.00,100\.00,,,,$/);
});

test("signed out: to the front page", async () => {
  const { status, headers } = await visit(app, loader, { path: "/wallet/statement.csv" });
  expect([status, headers.get("Location")]).toEqual([302, "/"]);
});
