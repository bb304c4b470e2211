import type { Page } from "@playwright/test";
import { press, pressInVain, pressOffline, pressUnanswered, type Screen } from "./screen.ts";
import { blockLeo, chatOf, join } from "./stage-chat.ts";

/** The chat of a game, and its end on the game's page. */
export const CHAT_SCREENS: Screen[] = [
  { name: "chat", as: "newcomer", before: join("talk"), path: chatOf("talk"), isCropped: true },
  {
    name: "chat-pinned",
    as: "newcomer",
    before: join("talk"),
    path: chatOf("talk"),
    act: (page) => page.evaluate(() => scrollTo(0, 0)),
    isCropped: true,
  },
  {
    name: "chat-removing",
    as: "newcomer",
    before: join("talk"),
    path: chatOf("talk"),
    act: (page) =>
      page
        .getByLabel(/^Delete the message/)
        .last()
        .click(),
    isCropped: true,
  },
  { name: "chat-empty", as: "newcomer", before: join("silent"), path: chatOf("silent") },
  { name: "chat-closed", as: "newcomer", before: join("closedTalk"), path: chatOf("closedTalk") },
  {
    name: "chat-too-long",
    as: "newcomer",
    before: join("silent"),
    path: chatOf("silent"),
    act: (page) => sendInVain(page, "Long story. ".repeat(45)),
    isCropped: true,
  },
  {
    name: "chat-too-fast",
    as: "newcomer",
    before: join("silent"),
    path: chatOf("silent"),
    act: sendTooFast,
    isCropped: true,
  },
  {
    name: "chat-sending",
    as: "newcomer",
    before: join("talk"),
    path: chatOf("talk"),
    act: async (page) => {
      await fillIn(page, UNSENT);
      await pressUnanswered(page, "Send", POSTS);
      await page.getByText("Sending…").waitFor();
    },
    isCropped: true,
  },
  {
    name: "chat-not-sent",
    as: "newcomer",
    before: join("talk"),
    path: chatOf("talk"),
    act: async (page) => {
      await fillIn(page, UNSENT);
      await pressOffline(page, "Send", POSTS);
    },
    isCropped: true,
  },
  { name: "chat-not-in", as: "newcomer", before: async () => {}, path: chatOf("talk") },
  {
    name: "chat-reporting",
    as: "newcomer",
    before: join("talk"),
    path: chatOf("talk"),
    act: (page) => openMenu(page),
    isCropped: true,
  },
  {
    name: "chat-reported",
    as: "newcomer",
    before: join("talk"),
    path: chatOf("talk"),
    act: async (page) => {
      await openMenu(page);
      await page.locator("details[open]").getByRole("button", { name: "Report" }).click();
    },
    toast: "Message reported",
  },
  {
    name: "chat-folded",
    as: "newcomer",
    before: blockLeo,
    path: chatOf("talk"),
    act: (page) => page.getByText("Message of a player you blocked").last().click(),
    isCropped: true,
  },
  {
    name: "chat-muted",
    as: "newcomer",
    before: join("silent"),
    path: chatOf("silent"),
    act: async (page) => {
      await press(page, "Mute");
      await page.getByText("Muted:").waitFor();
    },
  },
  { name: "blocked", as: "newcomer", before: blockLeo, path: "/settings/blocked" },
  { name: "blocked-empty", as: "newcomer", before: async () => {}, path: "/settings/blocked" },
  {
    name: "ticket-report",
    as: "admin",
    path: ({ report }) => `/admin/inbox/${report}`,
  },
  { name: "bookings-unread", as: "newcomer", before: join("talk"), path: "/bookings" },
  {
    name: "games-unread",
    as: "newcomer",
    before: join("talk"),
    path: "/events",
    act: (page) =>
      page
        .locator("main")
        .getByText(/unread messages/)
        .first()
        .scrollIntoViewIfNeeded(),
    isCropped: true,
  },
  {
    name: "game-chat",
    as: "newcomer",
    before: join("talk"),
    path: ({ talk }) => `/events/${talk}`,
    act: (page) => page.getByRole("link", { name: "Open chat" }).scrollIntoViewIfNeeded(),
    isCropped: true,
  },
];

const POSTS = "**/chat.data*";
const UNSENT = "I am on the bus and five minutes late. Start without me!";

const fillIn = (page: Page, text: string) =>
  page.getByRole("textbox", { name: "Message" }).fill(text);

/** Of a message that is not removed, of somebody else. */
const openMenu = (page: Page) =>
  page
    .getByLabel(/^Report the message/)
    .last()
    .click();

async function sendInVain(page: Page, text: string) {
  await fillIn(page, text);
  await pressInVain(page, "Send");
}

async function sendTooFast(page: Page) {
  for (let n = 1; n <= 5; n += 1) {
    await page.getByRole("textbox", { name: "Message" }).fill(`Who is coming? ${n}`);
    await press(page, "Send");
    await page
      .locator("section p", { hasText: `Who is coming? ${n}` })
      .first()
      .waitFor();
  }
  await sendInVain(page, "Who is coming? 6");
}
