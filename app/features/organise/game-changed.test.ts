import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import PostalMime from "postal-mime";
import { afterAll, expect, test } from "vitest";
import { mailJobs } from "#test/notices.ts";
import { pageBehind } from "#test/email-links.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, aVenue, NOW } from "#test/fixtures.ts";
import { createMailer } from "#app/platform/mail.server.ts";
import { switchEmail } from "#app/features/notifications/settings.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";

const database = useDatabase();
const dataDir = mkdtempSync(path.join(tmpdir(), "kickabout-changed-"));
afterAll(() => rmSync(dataDir, { recursive: true }));

async function aChange(status: "Paid" | "Cancelled") {
  const { env, ...app } = testApp(database, () => NOW);
  const tools = { ...app, env: { ...env, dataDir } };
  const [from, to] = [await aVenue(app.db), await aVenue(app.db, { name: "Harbour Cage" })];
  const gameId = await aGame(app.db, { venue_id: to });
  const playerId = await ada(app.db);
  const joined = await joinGame(app.db, app.jobs, { gameId, playerId, now: NOW });
  if (!joined.ok) throw new Error(joined.reason);
  const { bookingId } = joined;
  await app.db
    .updateTable("bookings")
    .set({ refund_hours: 0, refund_fee_eur: "0.00", payment_status: status })
    .where("id", "=", bookingId)
    .execute();
  const facts = { date: "2026-11-23", endTime: "00:30", maxPlayers: 10, isFirstSessionFree: false };
  const job = {
    ...{ bookingId, version: 2 },
    before: { ...facts, startTime: "19:00", venueId: from },
    after: { ...facts, startTime: "20:00", venueId: to },
  };
  const jobs = mailJobs({ ...tools, mailer: createMailer(tools.env) });
  return { playerId, notify: (version = 2) => jobs["game-changed"]({ ...job, version }) };
}

async function outbox() {
  const folder = path.join(dataDir, "outbox");
  const files = readdirSync(folder).map((name) => path.join(folder, name));
  return Promise.all(files.map((file) => PostalMime.parse(readFileSync(file))));
}

test("each change sends one email with old and new details and the free cancellation deadline", async () => {
  const { notify } = await aChange("Paid");
  await notify();
  await notify();
  const [mail, ...others] = await outbox();
  expect(others).toEqual([]);
  expect(mail?.subject).toMatch(/^Game changed: /);
  expect(mail?.text).toContain("19:00–00:30 (next day) →");
  expect(mail?.text).toContain("Campus Hall, Espoo →");
  expect(mail?.text).not.toContain("Max players:");
  expect(mail?.text).toContain("Free cancellation until Mon 12:00.");
  expect(pageBehind(/https?:\/\/[^\s\])]+/.exec(mail?.text ?? "")?.[0])).toBe(
    "http://kickabout.test/bookings",
  );
  await notify(3);
  expect(await outbox()).toHaveLength(2);
});

test("it carries one click to unsubscribe, and is not sent once that was used", async () => {
  const { notify, playerId } = await aChange("Paid");
  const before = (await outbox()).length;
  await notify(4);
  const mails = await outbox();
  expect(mails).toHaveLength(before + 1);
  for (const mail of mails) {
    const value = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
    expect(value("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
    expect(value("list-unsubscribe")).toMatch(
      /^<http:\/\/kickabout\.test\/unsubscribe\/[\w-]+>, <mailto:hello@kickabout\.example\?subject=Unsubscribe>$/,
    );
    expect(value("auto-submitted")).toBe("auto-generated");
  }
  await switchEmail(database.db, { userId: playerId, kind: "game-changed" }, false);
  await notify(5);
  expect(await outbox()).toHaveLength(before + 1);
});

test("a player who has left since is not notified", async () => {
  const before = (await outbox()).length;
  await (await aChange("Cancelled")).notify();
  expect(await outbox()).toHaveLength(before);
});
