import { beforeAll, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, NOW } from "#test/fixtures.ts";
import { visit } from "#test/visit.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { addDays } from "#app/platform/clock.ts";
import type { App } from "#app/routes/context.server.ts";
import type { PlanResult } from "./actions.server.ts";
import { action, loader } from "./edit.tsx";

const database = useDatabase();
let app: App;
let cookie = "";
beforeAll(async () => {
  app = testApp(database, () => NOW);
  ({ cookie } = await anAdmin(app));
});

async function aForm(withPlayer: boolean) {
  const gameId = await aGame(app.db, { startsIn: 48 });
  const joined = { gameId, playerId: await ada(app.db), now: NOW };
  if (withPlayer) await joinGame(app.db, app.jobs, joined);
  const path = `/admin/games/${gameId}/edit`;
  const { data } = await visit(app, loader, { path, cookie });
  const { values, version, formKey } = data as Awaited<ReturnType<typeof loader>>;
  const moved = { ...values, date: addDays(values.date!, 1), version: String(version), formKey };
  const send = async (body: Record<string, string>) => {
    const { status, data } = await visit(app, action, {
      path,
      cookie,
      body: { ...moved, ...body },
    });
    return { status, result: data as PlanResult | null };
  };
  const dateOf = async () => {
    const game = app.db.selectFrom("games").select("date").where("id", "=", gameId);
    return (await game.executeTakeFirstOrThrow()).date;
  };
  return { send, dateOf, before: values.date, after: moved.date };
}

test("what saving would ask is asked while it is typed, and its answer saves just that", async () => {
  const { send, dateOf, before, after } = await aForm(true);
  const asked = await send({ intent: "preview" });
  expect(asked.status).toBe(200);
  const { key, askedAt, button } = asked.result!.confirmation!;
  expect(button).toBe("Save and notify 1 player");
  expect(await dateOf()).toBe(before);
  const other = await send({
    intent: "save",
    confirmed: key,
    askedAt: askedAt!,
    startTime: "06:00",
  });
  expect(other.result?.confirmation?.rights).toContain("this is not what you confirmed");
  expect(await dateOf()).toBe(before);
  expect((await send({ intent: "save", confirmed: key, askedAt: askedAt! })).status).toBe(302);
  expect(await dateOf()).toBe(after);
});

test("nothing is asked and nothing is saved where nobody is in, or something is wrong", async () => {
  const { send, dateOf, before } = await aForm(false);
  const asked = await send({ intent: "preview" });
  expect([asked.status, asked.result?.confirmation]).toEqual([200, undefined]);
  expect((await send({ intent: "preview", date: "soon" })).status).toBe(422);
  expect(await dateOf()).toBe(before);
  const confirmed = await send({ intent: "preview", confirmed: "anything" });
  expect([confirmed.status, await dateOf()]).toEqual([200, before]);
});
