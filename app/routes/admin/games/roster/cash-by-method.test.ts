import { beforeAll, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { anAdmin } from "#test/admin.ts";
import { useDatabase } from "#test/db.ts";
import { textOf } from "#test/screen.tsx";
import { aGame, aPlayer, NOW } from "#test/fixtures.ts";
import { openSite } from "#test/whole-site.ts";
import { addPlayer } from "#app/features/roster/add-player.server.ts";
import type { App } from "#app/routes/context.server.ts";

const database = useDatabase();
let app: App;
let cookie: string;
let gameId: string;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  const admin = await anAdmin(app);
  ({ cookie } = admin);
  gameId = await aGame(app.db, { startsIn: 0.5 });
  for (const [name, method, amountCents] of [
    ["Ada", "Cash", 1_000],
    ["Bo", "MobilePay", 800],
    ["Cy", "Cash", 1_000],
  ] as const) {
    const playerId = await aPlayer(app.db, { name });
    const payment = { by: "cash", amountCents, method } as const;
    const now = new Date(NOW.getTime() - 1_000);
    await addPlayer(app.db, app.jobs, { gameId, playerId, actorId: admin.id, payment, now });
  }
});

const read = async (path: string) => (await (await openSite(app))(path, { cookie })).text();

test("a game says how much was paid by hand, by method", async () => {
  const page = textOf(await read(`/admin/games/${gameId}`));
  expect(page).toContain("Paid by hand: |Cash 20.00\u00a0€, MobilePay 8.00\u00a0€");
});

test("the file of a game's players names amount and method of each payment by hand", async () => {
  const [header, ...lines] = (await read(`/admin/games/${gameId}/players.csv`)).split("\r\n");
  expect(header).toMatch(/,unpaid amount,paid by hand,method,given back$/);
  expect(lines.map((line) => line.split(",").slice(-3).join())).toEqual(
    expect.arrayContaining(["10.00,Cash,", "8.00,MobilePay,", "10.00,Cash,"]),
  );
});

test("the overview and its file split what was paid by hand by method", async () => {
  const overview = textOf(await read("/admin"));
  expect(overview).toContain("of it given back · Cash 20.00\u00a0€, MobilePay 8.00\u00a0€");
  expect(overview).toContain("Given back|By method");
  const [header, week] = (await read("/admin/overview/cash.csv?weeks=4")).split("\r\n");
  expect(header).toContain("Venue,Payments,Noted,Given back,Cash,MobilePay,Other");
  expect(week).toBe("2026-11-16,All venues,3,28.00,0.00,20.00,8.00,0.00");
});
