import type { Page } from "@playwright/test";
import { fillIn, UNSENT } from "./chat.ts";
import { pressInVain } from "./screen.ts";
import type { Scenario, Screen } from "./scenario.ts";
import { join, joinEarly } from "./stage-chat.ts";

/** The end of a chat on the page of its game. */
export const GAME_CHAT_SCREENS: Screen[] = [
  { name: "game-chat-empty", as: "newcomer", before: join("silent"), ...onGame("silent") },
  {
    name: "game-chat-error",
    as: "newcomer",
    before: join("talk"),
    ...onGame("talk", (page) => pressInVain(page, "Send")),
  },
  {
    name: "game-chat-not-sent",
    as: "newcomer",
    before: join("talk"),
    ...onGame("talk", async (page) => {
      await page.context().setOffline(true);
      await fillIn(page, UNSENT);
      await pressInVain(page, "Send");
      await page.context().setOffline(false);
    }),
  },
  { name: "game-chat-closed", as: "newcomer", before: join("closedTalk"), ...onGame("closedTalk") },
  {
    name: "game-chat-unread",
    as: "newcomer",
    before: joinEarly,
    path: ({ talk }) => `/events/${talk}`,
    isCropped: true,
  },
  {
    name: "game-chat",
    as: "newcomer",
    before: join("talk"),
    ...onGame("talk"),
  },
];

function onGame(game: "talk" | "silent" | "closedTalk", act = async (_page: Page) => {}) {
  return {
    path: (scenario: Scenario) => `/events/${scenario[game]}`,
    act: async (page: Page) => {
      await act(page);
      await page.getByRole("link", { name: "Open chat" }).scrollIntoViewIfNeeded();
    },
    isCropped: true,
  };
}
