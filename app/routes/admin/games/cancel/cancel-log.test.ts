import { beforeAll, beforeEach, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aVenue, NOW } from "#test/fixtures.ts";
import { aPlan } from "#test/games.ts";
import { visit } from "#test/visit.ts";
import { listAuditEntries, type RecordedEntry } from "#app/features/audit/entries.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { createGames } from "#app/features/games/create-games.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { textOf } from "#app/routes/admin/log/parts.ts";
import { sentenceOf } from "#app/routes/admin/log/sentences.server.ts";
import * as atVenue from "./at-venue.tsx";
import * as cancelPage from "./cancel.tsx";
import type { CancelView } from "./view.server.ts";

const database = useDatabase();
let app: App;
let [actorId, cookie, venueId] = ["", "", ""];
/** Three weeks from December 2nd, with two players, none and one. */
let series: string[];
beforeAll(async () => {
  app = testApp(database, () => NOW);
  ({ cookie, id: actorId } = await anAdmin(app));
});
beforeEach(async () => {
  venueId = await aVenue(app.db);
  const wish = { plan: aPlan(venueId), weeks: 3, status: "Published" as const, actorId, now: NOW };
  const made = await createGames(app.db, wish);
  series = made.ok ? made.gameIds : [];
  for (const gameId of [series[0]!, series[0]!, series[2]!]) {
    const joined = await joinGame(app.db, app.jobs, {
      gameId,
      playerId: await ada(app.db),
      now: NOW,
    });
    if (!joined.ok) throw new Error(joined.reason);
  }
});

type Page = { loader: Parameters<typeof visit>[1]; action: Parameters<typeof visit>[1] };

/** Cancels what the page shows, and returns the log since. */
async function cancelAll(page: Page, path: string): Promise<RecordedEntry[]> {
  const shown = (await visit(app, page.loader, { path, cookie })).data;
  const { view, formKey } = shown as unknown as { view: CancelView; formKey: string };
  const [before] = await readLog();
  const body = { intent: "cancel", games: view.shown, formKey, message: "The hall is flooded." };
  expect((await visit(app, page.action, { path, cookie, body })).status).toBe(302);
  return (await readLog()).filter(({ id }) => id > before!.id);
}

const ANYTHING = { actor: null, action: null, subject: null };
const readLog = (filter: Partial<typeof ANYTHING> | { subject: string } = {}) =>
  listAuditEntries(app.db, { filter: { ...ANYTHING, ...filter }, before: null, limit: 50 });

const sentences = (entries: RecordedEntry[]) => entries.map((entry) => textOf(sentenceOf(entry)));

test.each<[string, Page, () => string]>([
  ["a series", cancelPage, () => `/admin/games/${series[0]}/cancel?scope=following`],
  [
    "a venue's period",
    atVenue,
    () => `/admin/venues/${venueId}/cancel-games?from=2026-12-02&to=2026-12-16`,
  ],
])(
  "%s that is cancelled with a message is one entry, and its message one",
  async (_, page, path) => {
    const entries = await cancelAll(page, path());
    expect(sentences(entries)).toEqual([
      expect.stringMatching(/^messaged the players of Wed, Dec 2, .* and 1 more game\. Read the/),
      expect.stringMatching(/^cancelled Wed, Dec 2, .* and 2 more games; 3 bookings cancelled$/),
    ]);
    const gamesOf = ({ game, others }: RecordedEntry) => [game, ...others.map((one) => one.game)];
    const ids = entries.map((entry) => gamesOf(entry).map((game) => game?.id));
    expect(ids).toEqual([[series[0], series[2]], series]);
    const history = await readLog({ subject: series[1]! });
    expect(history.filter(({ action }) => action === "game.cancel")).toMatchObject([
      { subject: series[1], others: [{ game: { id: series[0] } }, { game: { id: series[2] } }] },
    ]);
  },
);
