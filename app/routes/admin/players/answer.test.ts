import { beforeAll, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, NOW } from "#test/fixtures.ts";
import { textOf } from "#test/screen.tsx";
import { openSite } from "#test/whole-site.ts";
import { answerTicket } from "#app/features/support/tickets.server.ts";
import type { App } from "#app/routes/context.server.ts";

const database = useDatabase();
let app: App;
let admin: Awaited<ReturnType<typeof anAdmin>>;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  admin = await anAdmin(app);
});

test("the newest message that waits is read and answered on its player's page", async () => {
  const { db, jobs } = app;
  const playerId = await ada(db);
  const text = { subject: "Shoes", message: "Blue ones, size 42.", user_id: playerId };
  const added = db.insertInto("support_messages").values(text).returning("id");
  const { id: ticketId } = await added.executeTakeFirstOrThrow();
  const read = async () => {
    const ask = await openSite(app);
    return (await ask(`/admin/players/${playerId}`, { cookie: admin.cookie })).text();
  };
  const html = await read();
  expect(textOf(html)).toContain("Blue ones, size 42.");
  const form = new RegExp(`<form[^>]*action="/admin/inbox/${ticketId}".*?</form>`, "s").exec(
    html,
  )![0];
  const answerId = /name="answerId" value="([^"]+)"/.exec(form)![1]!;
  expect(form).toContain('name="seen" value="0"');
  const answer = { ticketId, answerId, answer: "In the hall.", seen: 0, actor: admin.id, now: NOW };
  expect(await answerTicket(db, jobs, answer)).toEqual({ ok: true });
  expect(await read()).not.toContain(`action="/admin/inbox/${ticketId}"`);
});

test("the balance can be corrected without unfolding the form", async () => {
  const ask = await openSite(app);
  const path = `/admin/players/${await ada(app.db)}`;
  const html = await (await ask(path, { cookie: admin.cookie })).text();
  expect(html).toMatch(/<details(?=[^>]* id="balance")[^>]* open=""/);
});
