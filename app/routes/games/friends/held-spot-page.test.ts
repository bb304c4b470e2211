import { beforeAll, describe, expect, test } from "vitest";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aPlayer, NOW } from "#test/fixtures.ts";
import { friendPages, friendsOf, readBar } from "#test/friend-pages.ts";
import { holdsOf } from "#test/holds.ts";
import { buttonsOf, linksOf } from "#test/screen.tsx";
import { waitlistOf } from "#test/waitlist.ts";

const database = useDatabase();
const holds = holdsOf(database);
const list = waitlistOf(database);
let app: App;
let site: ReturnType<typeof friendPages>;
beforeAll(() => {
  app = testApp(database, () => NOW);
  site = friendPages(app, database);
});

describe("who holds a spot, or may", () => {
  test("sends the game itself while no spot is held", async () => {
    const { gameId, host, path } = await site.aHost();
    const html = await site.pageOf(gameId, host.cookie);
    const [share] = linksOf(html).filter((link) => link.includes("SHARE GAME"));
    expect(share).toContain(encodeURIComponent(app.env.appUrl + path));
    expect(share).not.toContain("hold");
  });

  test("reads that the spot is over with a game that is cancelled", async () => {
    const { gameId, host } = await site.aHold();
    const other = await site.signedIn(aPlayer(app.db, { credits: 10 }));
    const open = await site.aHost({ spots: 3 });
    await list.join(open.gameId, other.id);
    for (const id of [gameId, open.gameId])
      await cancelGame(app.db, app.jobs, { gameId: id, now: NOW });
    const said = "The spot you held for a friend is over too, and its link says so.";
    expect(readBar(await site.pageOf(gameId, host.cookie))).toContain(said);
    for (const { cookie } of [open.host, other]) {
      expect(readBar(await site.pageOf(open.gameId, cookie))).not.toContain("held for a friend");
    }
  });

  test("is asked before a spot is given back, also without JavaScript", async () => {
    const { gameId, host } = await site.aHold();
    const html = await site.pageOf(gameId, host.cookie);
    expect(friendsOf(html)).toContain(
      "|Give it back|Give the spot back? It counts as one of the two spots you can hold that nobody takes.|",
    );
    expect(buttonsOf(html)).not.toContain("Give it back");
    const folded = html.split("<details>")[1]?.split("</details>")[0] ?? "";
    expect(buttonsOf(folded)).toEqual(["Yes, give it back"]);
  });

  test("reads the limit before it is reached", async () => {
    const { gameId, host } = await site.aHost();
    const read = async () => friendsOf(await site.pageOf(gameId, host.cookie));
    expect(await read()).toContain("You can hold two spots that nobody takes.");
    await holds.hold(gameId, host.id);
    await holds.giveBack(gameId, host.id);
    expect(await read()).toContain("One spot you held was not taken: you can hold one more.");
  });
});
