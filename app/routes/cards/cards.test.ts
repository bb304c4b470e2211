import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import type { KyselyPlugin } from "kysely";
import sharp from "sharp";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { textOf } from "#test/screen.tsx";
import { signIn, visit } from "#test/visit.ts";
import { openSite, type Question } from "#test/whole-site.ts";
import { ada, aPlayer, aVenue, hoursLater, NOW } from "#test/fixtures.ts";
import { aPlayedGame } from "#test/games.ts";
import { findShareToken, shareCard } from "#app/features/players/cards.server.ts";
import { OUTCOME_UNKNOWN } from "#app/forms/messages.ts";
import { OutcomeUnknownError } from "#app/platform/postgres/commit-outcome.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { action, loader } from "./own.tsx";
import { loader as sharedPage } from "./shared.tsx";

const database = useDatabase();
let app: App;
beforeAll(() => {
  app = testApp(database, () => NOW);
  rmSync(path.join(app.env.dataDir, "cache"), { recursive: true, force: true });
});

const OWN = "/profile/player-card";
async function player(name = "Ada") {
  const id = await aPlayer(app.db, { name });
  return { id, cookie: await signIn(app, id) };
}
const post = (cookie: string, body: Record<string, string>) =>
  visit(app, action, { path: OWN, cookie, body });

const PICTURES = [".png", "/social.png"] as const;

async function fetchPicture(
  picture: (typeof PICTURES)[number],
  token: string,
  question: Question = {},
) {
  const site = await openSite(app);
  const response = await site(`/card/${encodeURIComponent(token)}${picture}`, question);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

describe("the own card", () => {
  // spec: 2.25, 6.6
  test("is for players who are signed in", async () => {
    for (const page of [loader, action]) {
      const { status, headers } = await visit(app, page, { path: OWN });
      expect([status, headers.get("Location")]).toEqual([302, "/"]);
    }
  });

  // spec: 2.121
  test("says '-' for wins and goals, and has no link before it is shared", async () => {
    const { cookie } = await player();
    const { data } = await visit(app, loader, { path: OWN, cookie });
    expect(data).toMatchObject({
      link: null,
      card: {
        firstName: "Ada",
        stats: [
          { label: "Total games", value: "0" },
          { label: "Total wins", value: "-" },
          { label: "Total goals", value: "-" },
        ],
      },
    });
  });

  test("is shared by one form, shows its link, and another form ends it", async () => {
    const { id, cookie } = await player();
    const { status, headers } = await post(cookie, { intent: "share" });
    expect([status, headers.get("Location")]).toEqual([302, OWN]);
    const token = (await findShareToken(app.db, id)) ?? "";
    const { data } = await visit(app, loader, { path: OWN, cookie });
    expect(data).toMatchObject({ link: `http://kickabout.test/card/${token}` });
    const at = { path: `/card/${token}` };
    expect((await visit(app, sharedPage, at)).status).toBe(200);
    expect((await fetchPicture(".png", token)).status).toBe(200);
    expect((await post(cookie, { intent: "stop-sharing" })).status).toBe(302);
    expect((await visit(app, sharedPage, at)).status).toBe(404);
    for (const picture of PICTURES) expect((await fetchPicture(picture, token)).status).toBe(404);
  });

  test("no longer shared leaves no picture in the cache", async () => {
    const { cookie } = await player("Cache");
    const other = await shareCard(app.db, await aPlayer(app.db, { name: "Other" }));
    const token = async () => {
      await post(cookie, { intent: "share" });
      const { data } = await visit(app, loader, { path: OWN, cookie });
      return (data as { link: string }).link.slice(-22);
    };
    const shared = await token();
    for (const picture of PICTURES)
      for (const each of [shared, other]) await fetchPicture(picture, each);
    const folder = path.join(app.env.dataDir, "cache", "pictures");
    const keptOf = (card: string) => readdirSync(folder).filter((name) => name.startsWith(card));
    await vi.waitFor(() => expect([...keptOf(shared), ...keptOf(other)]).toHaveLength(4));
    await post(cookie, { intent: "stop-sharing" });
    expect([keptOf(shared).length, keptOf(other).length]).toEqual([0, 2]);
  }, 300_000);

  test.each(["share", "stop-sharing"])(
    "%s ends on the page where its outcome is unknown",
    async (intent) => {
      const { cookie } = await player();
      const transformQuery: KyselyPlugin["transformQuery"] = ({ node }) => {
        if (node.kind === "SelectQueryNode") return node;
        throw new OutcomeUnknownError();
      };
      const plugin: KyselyPlugin = {
        transformQuery,
        transformResult: async ({ result }) => result,
      };
      const site = await openSite({ ...app, db: app.db.withPlugin(plugin) });
      const response = await site(OWN, { cookie, body: new URLSearchParams({ intent }) });
      expect(response.status).toBe(503);
      const text = textOf((await response.text()).split("<main")[1] ?? "");
      expect(text).toContain(OUTCOME_UNKNOWN.title);
      expect(text).toContain(OUTCOME_UNKNOWN.description);
    },
  );

  test("an unknown form changes nothing", async () => {
    const { id, cookie } = await player();
    for (const body of [{}, { intent: "join" }, { intent: "Share" }]) {
      expect((await post(cookie, body as Record<string, string>)).status).toBe(400);
    }
    expect(await findShareToken(app.db, id)).toBeNull();
  });
});

describe("a shared card", () => {
  test("shows a visitor the picture and its text, and nothing private", async () => {
    const owner = await aPlayer(app.db, { name: "Wilhelmina" });
    const token = await shareCard(app.db, owner);
    const { data, status } = await visit(app, sharedPage, {
      path: `/card/${token}`,
    });
    expect(status).toBe(200);
    expect(data).toMatchObject({
      isSignedIn: false,
      alt: expect.stringMatching(/^Player card of Wilhelmina .*Total games: 0/),
      picture: expect.stringMatching(new RegExp(`^/card/${token}\\.png\\?v=`)),
    });
    expect(JSON.stringify(data)).not.toMatch(
      /uni\.example|2001|Physics|Master|[0-9a-f]{8}-[0-9a-f]/,
    );
  });

  test("the card counts this month and the last weeks, and never says where somebody plays", async () => {
    const owner = await aPlayer(app.db, { name: "Wilhelmina" });
    const venue_id = await aVenue(app.db, { name: "Secret Cage" });
    for (const endedAt of [hoursLater(-24), hoursLater(-24 * 8)]) {
      await aPlayedGame(app.db, { playerId: owner, endedAt, game: { venue_id } });
    }
    const token = await shareCard(app.db, owner);
    const { data } = await visit(app, sharedPage, { path: `/card/${token}` });
    expect(data).toMatchObject({
      alt: expect.stringMatching(/recorded yet\. 2 games this month · 2 weeks in a row\.$/),
    });
    expect(JSON.stringify(data)).not.toContain("Cage");
  });

  test("a player who is signed in gets a link to the games", async () => {
    const { id, cookie } = await player();
    const token = await shareCard(app.db, id);
    const at = { path: `/card/${token}`, cookie };
    expect((await visit(app, sharedPage, at)).data).toMatchObject({ isSignedIn: true });
  });

  test.each(["x", "../etc/passwd", "%00", "a".repeat(5_000), "\0".repeat(22), "😀"])(
    "an invalid address is a 404 (%#)",
    async (token) => {
      const at = { path: `/card/${encodeURIComponent(token)}` };
      expect((await visit(app, sharedPage, at)).status).toBe(404);
      expect((await fetchPicture(".png", token)).status).toBe(404);
      expect((await fetchPicture("/social.png", token)).status).toBe(404);
    },
  );
});

describe("the picture", () => {
  test.each([
    ["upright", ".png", 1080, 1350],
    ["for a link's preview", "/social.png", 1200, 630],
  ] as const)("%s has its size and is not blank", async (_, picture, width, height) => {
    const token = await shareCard(app.db, await ada(app.db));
    const { headers, bytes } = await fetchPicture(picture, token);
    expect(headers.get("Content-Type")).toBe("image/png");
    expect(headers.get("Content-Length")).toBe(String(bytes.length));
    const image = sharp(bytes);
    expect(await image.metadata()).toMatchObject({ format: "png", width, height });
    const { channels } = await image.stats();
    expect(channels[0]!.stdev).toBeGreaterThan(10);
  });

  test.each([
    ["upright", ".png"],
    ["for a link's preview", "/social.png"],
  ] as const)("%s is kept out of search engines", async (_, picture) => {
    const { headers } = await fetchPicture(picture, await shareCard(app.db, await ada(app.db)));
    expect(headers.get("X-Robots-Tag")).toBe("noindex");
  });

  test("is the same for the same facts, and another for another name", async () => {
    const [one, other] = [await aPlayer(app.db, { name: "Åsa" }), await aPlayer(app.db)];
    const first = await fetchPicture(".png", await shareCard(app.db, one));
    const second = await fetchPicture(".png", await shareCard(app.db, other));
    expect(await difference(first.bytes, second.bytes)).toBeGreaterThan(1_000);
    const again = await fetchPicture(".png", await shareCard(app.db, one));
    expect(again.bytes.equals(first.bytes)).toBe(true);
    await app.db
      .updateTable("profiles")
      .set({ nationality: "Finland", nationality_code: "FI", position: "GK" })
      .where("user_id", "=", one)
      .execute();
    const changed = await fetchPicture(".png", await shareCard(app.db, one));
    expect(await difference(first.bytes, changed.bytes)).toBeGreaterThan(1_000);
    expect(changed.headers.get("ETag")).not.toBe(first.headers.get("ETag"));
  });

  test("a browser that has it is not sent it again, and HEAD sends none", async () => {
    const token = await shareCard(app.db, await aPlayer(app.db));
    const head = await fetchPicture(".png", token, { method: "HEAD" });
    const etag = head.headers.get("ETag") ?? "";
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const response = await fetchPicture(".png", token, { headers: { "If-None-Match": known } });
      expect([response.status, response.bytes.length]).toEqual([304, 0]);
    }
    const other = { headers: { "If-None-Match": '"other"' } };
    expect((await fetchPicture(".png", token, other)).status).toBe(200);
  });
});

async function difference(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all([one, other].map((png) => sharp(png).raw().toBuffer()));
  let different = 0;
  for (let at = 0; at < a!.length; at += 1) if (a![at] !== b![at]) different += 1;
  return different;
}
