import { beforeAll, expect, test } from "vitest";
import { memberOf, say } from "#test/chat.ts";
import { useErasure } from "#test/erasure.ts";
import { aGame, NOW } from "#test/fixtures.ts";
import { signIn } from "#test/visit.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import { addPlayer } from "#app/features/roster/add-player.server.ts";

const erasure = useErasure();
let ask: AskSite;
beforeAll(async () => {
  ask = await openSite(erasure.app);
});

test("what a deleted account wrote, and its first game, are said of a deleted player on both pages", async () => {
  const { database, app } = erasure;
  const gameId = await aGame(app.db);
  const reader = await memberOf(database, gameId, "Bo");
  const player = await erasure.player({ credits: 0 });
  const joining = { gameId, playerId: player.userId, actorId: reader.userId, now: NOW };
  expect(await addPlayer(app.db, app.jobs, joining)).toMatchObject({ ok: true });
  await say(app.db, { gameId, userId: player.userId }, { body: "The code is 7137" });
  await say(app.db, { gameId, userId: reader.userId }, { body: "Thanks" });
  const cookie = await signIn(app, reader.userId);
  const linesOf = async (path: string) => {
    const html = await (await ask(path, { cookie })).text();
    const text = html.replaceAll(/<script[\s\S]*?<\/script>/g, "").replaceAll(/<[^>]+>/g, "\n");
    return text.split("\n").filter((line) => /[Dd]eleted|7137|first game|Thanks/.test(line));
  };
  const pages = [`/events/${gameId}/chat`, `/events/${gameId}`];
  const before = { chat: await linesOf(pages[0]!), game: await linesOf(pages[1]!) };
  expect(before.chat.join()).toContain("7137");
  expect(before.game.join()).toContain("7137");
  expect(await erasure.remove(player)).toEqual({ ok: true });
  const gone = ["Deleted player", "Deleted player", "Deleted", "Thanks"];
  expect(await linesOf(pages[0]!)).toEqual(["This is your first game.", ...gone]);
  expect(await linesOf(pages[1]!)).toEqual(gone);
});
