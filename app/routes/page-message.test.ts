import { beforeAll, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aPlayer, NOW } from "#test/fixtures.ts";
import { textOf } from "#test/screen.tsx";
import { signIn } from "#test/visit.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import { toastCookie } from "#app/forms/toast.server.ts";
import type { App } from "./context.server.ts";

const database = useDatabase();
let app: App;
let site: AskSite;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  site = await openSite(app);
});

const SAID = "Signed out there";

async function open(path: string, session: string) {
  const [toast] = (await toastCookie(app.env, { title: SAID })).split(";");
  const response = await site(path, { cookie: [session, toast].join("; ") });
  const html = await response.text();
  // Not what the scripts begin with.
  return html.replaceAll(/<script\b.*?<\/script>/gs, "");
}

test("a message is in the page once, before all else, whatever the page", async () => {
  const game = await aGame(app.db);
  const player = await signIn(app, await aPlayer(app.db));
  const visits = [
    ...["/", "/auth", "/auth/forgot", "/nothing"].map((path) => [path, ""]),
    ...["/events", `/events/${game}`, "/wallet", "/settings"].map((path) => [path, player]),
  ];
  for (const [path = "", session = ""] of visits) {
    const html = await open(path, session);
    expect(html.split(SAID), path).toHaveLength(2);
    expect(textOf(html.slice(html.indexOf("<body"))), path).toMatch(/^\|Signed out there\|/);
    expect(html.split('aria-label="Notifications"'), path).toHaveLength(2);
  }
});

test("a page without a message has an empty region for toasts, and no place for one", async () => {
  const html = await (await site("/auth", {})).text();
  expect(textOf(html.slice(html.indexOf("<body"))).split("Notifications")).toHaveLength(1);
  expect(html).toMatch(/<div aria-live="polite"><\/div>/);
  expect(html).toMatch(
    /<section aria-label="Notifications"[^>]*>(<ol aria-live="\w+"[^>]*><\/ol>){3}/,
  );
});
