import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { memberOf, messagesOf, say } from "#test/chat.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aPlayer, NOW } from "#test/fixtures.ts";
import { signIn } from "#test/visit.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import type { App } from "#app/routes/context.server.ts";

const database = useDatabase();
let app: App;
let ask: AskSite;
let gameId: string;
let path: string;
let reader: string;
let writer: string;
let messageId: string;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  ask = await openSite(app);
});
beforeEach(async () => {
  gameId = await aGame(app.db);
  path = `/events/${gameId}/chat`;
  const { userId } = await memberOf(database, gameId, "Aino");
  writer = await signIn(app, userId);
  reader = await signIn(app, (await memberOf(database, gameId, "Bo")).userId);
  messageId = randomUUID();
  await say(app.db, { gameId, userId }, { body: "You are all useless", messageId });
});

const post = (cookie: string, intent: string, to = path) =>
  ask(to, { cookie, body: new URLSearchParams({ intent, messageId }) });
const pageOf = async (address: string, cookie: string) => {
  const response = await ask(address, { cookie });
  return (await response.text()).replaceAll("<!-- -->", "");
};
const ticketPath = async () => {
  const ticket = app.db.selectFrom("support_messages").select("id");
  const { id } = await ticket
    .where("reported_message_id", "=", messageId)
    .executeTakeFirstOrThrow();
  return `/admin/inbox/${id}`;
};

test("who may report a message is offered it, once", async () => {
  const admin = await signIn(app, (await anAdmin(app)).id);
  const offered = async (who: string) => (await pageOf(path, who)).includes('value="report"');
  expect([await offered(reader), await offered(writer), await offered(admin)]).toEqual([
    ...[true, false, false],
  ]);
  const statuses = [];
  for (const who of [writer, admin, await signIn(app, await aPlayer(app.db)), ""]) {
    statuses.push((await post(who, "report")).status);
  }
  expect(statuses).toEqual([403, 403, 403, 302]);
  const { status, headers } = await post(reader, "report");
  expect([status, headers.get("Location")]).toEqual([302, `${path}#message-${messageId}`]);
  expect(await offered(reader)).toBe(false);
  expect(await pageOf(path, reader)).toContain(">Reported<");
  expect((await post(reader, "report")).status).toBe(302);
});

test("the inbox shows it in its place, and removes it from the chat with one press", async () => {
  await post(reader, "report");
  const { id } = await anAdmin(app);
  const admin = await signIn(app, id);
  const ticket = await ticketPath();
  expect(await pageOf("/admin/inbox?kind=report", admin)).toContain(ticket);
  const html = await pageOf(ticket, admin);
  for (const part of ["Chat report", "You are all useless", "first game. Say hi!"]) {
    expect(html).toContain(part);
  }
  expect(html).toContain(`href="${path}?before=4#message-${messageId}"`);
  expect(await pageOf(`${path}?before=4`, admin)).toContain(`id="message-${messageId}"`);
  expect((await post(reader, "remove-message", ticket)).status).toBe(403);
  expect((await post(admin, "remove-message", ticket)).status).toBe(302);
  const message = (await messagesOf(app.db, gameId)).find((each) => each.id === messageId);
  expect([message!.body, message!.removed_by]).toEqual([null, "Organiser"]);
  expect(await pageOf(ticket, admin)).toContain("It is removed from the chat.");
  expect((await post(admin, "remove-message", ticket)).status).toBe(302);
  await app.db.deleteFrom("chat_messages").where("id", "=", messageId).execute();
  expect((await post(admin, "remove-message", ticket)).status).toBe(409);
  expect(await pageOf(ticket, admin)).toContain("The chat of that game is deleted.");
});
