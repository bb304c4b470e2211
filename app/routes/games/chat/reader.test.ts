import { expect, test } from "vitest";
import { memberOf } from "#test/chat.ts";
import { hears, streamedMessages, useLiveChat } from "#test/live-chat.ts";
import { signIn, visit } from "#test/visit.ts";
import { blockAuthor } from "#app/features/chat/blocks.server.ts";
import { reportMessage } from "#app/features/support/report-message.server.ts";
import type { MessageView } from "#app/features/chat/message-view.server.ts";
import { choicesOf, toDays } from "./groups.ts";
import { loader } from "./show.tsx";
import { isNewTo } from "./use-live-chat.ts";

const chat = useLiveChat();

test("streams know nothing of blocks and reports; the page folds what they bring", async () => {
  const { url } = await chat.start();
  const aino = await memberOf(chat.database, chat.gameId, "Aino");
  const cookies = [chat.bo.cookie, await signIn(chat.app, aino.userId)];
  await chat.write("useless", aino.userId);
  const pages = async () =>
    Promise.all(
      cookies.map(async (cookie) => {
        const path = `/events/${chat.gameId}/chat`;
        return (await visit(chat.app, loader, { path, cookie })).data.chat;
      }),
    );
  const messageId = (await pages())[0]!.messages.at(-1)!.id;
  const { gameId, now } = chat;
  const about = { gameId, userId: chat.bo.userId, messageId, now };
  expect(await reportMessage(chat.app.db, chat.app.jobs, about)).toMatchObject({ ok: true });
  expect(await blockAuthor(chat.app.db, about)).toMatchObject({ ok: true });

  const streams = await Promise.all(cookies.map((cookie) => chat.open(url, { cookie })));
  await chat.write("and slow", aino.userId);
  for (const stream of streams) await hears(stream, "and slow");
  const [boReceived, ainoReceived] = streams.map(
    (stream) => streamedMessages(stream) as MessageView[],
  );
  expect(boReceived).toEqual(ainoReceived);

  const shown = (await pages()).map((reader) =>
    boReceived!
      .slice(-2)
      .map((message) => [
        toDays([message], reader)[0]!.groups[0]!.isFolded,
        choicesOf(message, reader).map(({ label }) => label),
        isNewTo(message, reader),
      ]),
  );
  expect(shown).toEqual([
    [
      [true, ["Unblock"], false],
      [true, ["Report", "Unblock"], false],
    ],
    [
      [false, ["Delete"], false],
      [false, ["Delete"], false],
    ],
  ]);
  expect((await pages()).map(({ blocked, reported }) => [blocked, reported])).toEqual([
    [[aino.userId], [messageId]],
    [[], []],
  ]);
});
