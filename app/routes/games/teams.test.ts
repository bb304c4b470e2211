import { beforeAll, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aPlayer, NOW } from "#test/fixtures.ts";
import { headingsOf, textOf } from "#test/screen.tsx";
import { teamsOf } from "#test/teams.ts";
import { signIn } from "#test/visit.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import type { App } from "#app/routes/context.server.ts";

const database = useDatabase();
const teams = teamsOf(database);
let app: App;
let ask: AskSite;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  ask = await openSite(app);
});

/** A game's page as somebody sees it; a visitor without an id. */
async function read(gameId: string, playerId?: string) {
  const cookie = playerId && (await signIn(app, playerId));
  const response = await ask(`/events/${gameId}`, cookie ? { cookie } : {});
  const html = await response.text();
  const shown = html.replaceAll(/<script[\s\S]*?<\/script>/g, "");
  return { html, headings: headingsOf(shown, 2), text: textOf(shown) };
}

test("who is in sees the published teams, with words for the colours and the own one", async () => {
  const { gameId, players, bookings } = await teams.aGameOf(4);
  await teams.make(gameId);
  const me = players[0]!;
  expect((await read(gameId, me)).headings).not.toContain("Teams");
  await teams.publish(gameId);
  await teams.join(gameId, await aPlayer(app.db, { name: "Late", credits: 20 }));
  const { headings, text, html } = await read(gameId, me);
  expect(headings).toContain("Teams");
  const team = (await teams.teamOf(gameId, bookings[0]!))!;
  expect(text).toContain(`|You play in ${["Yellow", "Blue"][team - 1]}.|`);
  expect(text).toMatch(/\|Yellow\|(.*\|){2}Blue\|(.*\|){2}Not in a team yet\|Late /);
  expect(text.match(/ \(you\)\|/g)).toHaveLength(1);
  expect(html).not.toMatch(/"level"|"seed"/);
  await teams.publish(gameId, false);
  expect((await read(gameId, me)).headings).not.toContain("Teams");
});

test("nobody else sees them but organisers", async () => {
  const { gameId, players, bookings } = await teams.aGameOf(4);
  await teams.make(gameId);
  await teams.publish(gameId);
  const stranger = await aPlayer(app.db);
  const { id: organiser } = await anAdmin(app);
  const [playerId, bookingId] = [players[0]!, bookings[0]!];
  await cancelBooking(app.db, app.jobs, { bookingId, playerId, now: NOW });
  for (const viewer of [undefined, stranger, playerId]) {
    const { headings, html } = await read(gameId, viewer);
    expect(headings).not.toContain("Teams");
    expect(html).not.toContain("Yellow");
  }
  expect((await read(gameId, organiser)).headings).toContain("Teams");
});
