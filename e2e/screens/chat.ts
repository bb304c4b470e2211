import type { Page } from "@playwright/test";
import type { ChatPage } from "#app/routes/games/chat/chat-view.server.ts";
import { press, pressInVain, pressOffline, pressUnanswered } from "./screen.ts";
import type { Screen } from "./scenario.ts";
import { showTab } from "../chat-stage.ts";
import { blockLeo, chatOf, join, joinCancelled, joinEarly } from "./stage-chat.ts";

/** The chat of a game. */
export const CHAT_SCREENS: Screen[] = [
  { name: "chat", as: "newcomer", before: join("talk"), path: chatOf("talk"), isCropped: true },
  {
    name: "chat-pinned",
    as: "newcomer",
    before: join("talk"),
    path: chatOf("talk"),
    act: (page) => page.getByText("Pinned", { exact: true }).click(),
    isCropped: true,
  },
  {
    name: "chat-new-messages",
    as: "newcomer",
    before: join("talk"),
    path: chatOf("talk"),
    act: receiveThree,
    isCropped: true,
  },
  {
    name: "chat-unread",
    as: "newcomer",
    before: joinEarly,
    path: chatOf("talk"),
    act: (page) => page.getByText("New", { exact: true }).waitFor(),
    isCropped: true,
  },
  {
    name: "chat-counter",
    as: "newcomer",
    before: join("silent"),
    path: chatOf("silent"),
    act: (page) =>
      page.getByRole("textbox", { name: "Message" }).pressSequentially("Long story. ".repeat(38)),
    isCropped: true,
  },
  {
    name: "chat-unpinning",
    as: "admin",
    path: chatOf("talk"),
    act: (page) => page.getByLabel(/: We play on pitch 2$/).click(),
    isCropped: true,
  },
  {
    name: "chat-blocked",
    as: "newcomer",
    before: join("talk"),
    path: chatOf("talk"),
    act: async (page) => {
      await openMenu(page);
      await page.locator("details[open]").getByRole("button", { name: "Block" }).click();
      await page.getByRole("button", { name: "Undo" }).waitFor();
    },
    isCropped: true,
  },
  {
    name: "chat-removing",
    as: "newcomer",
    before: join("talk"),
    path: chatOf("talk"),
    act: (page) =>
      page
        .getByLabel(/^Menu of your message/)
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
    before: join("busy"),
    path: chatOf("busy"),
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
  {
    name: "chat-offline",
    as: "newcomer",
    before: join("talk"),
    path: chatOf("talk"),
    act: async (page) => {
      await page.context().setOffline(true);
      await page.getByText("No connection.").waitFor();
    },
    isCropped: true,
  },
  { name: "chat-cancelled", as: "newcomer", before: joinCancelled, path: chatOf("cancelledTalk") },
  { name: "chat-not-in", as: "newcomer", before: async () => {}, path: chatOf("talk") },
  {
    name: "chat-reporting",
    as: "newcomer",
    before: join("talk"),
    path: chatOf("talk"),
    act: async (page) => {
      await openMenu(page);
      await page.locator("details[open]").getByText("Report", { exact: true }).click();
    },
    isCropped: true,
  },
  {
    name: "chat-reported",
    as: "newcomer",
    before: join("talk"),
    path: chatOf("talk"),
    act: async (page) => {
      await openMenu(page);
      await page.locator("details[open]").getByText("Report", { exact: true }).click();
      await press(page, "Yes, report");
    },
    toast: "Message reported",
  },
  {
    name: "chat-folded",
    as: "newcomer",
    before: blockLeo,
    path: chatOf("talk"),
    act: (page) =>
      page
        .getByText(/essages? from a player you blocked/)
        .last()
        .click(),
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
  { name: "bookings-unread", as: "newcomer", before: joinEarly, path: "/bookings" },
  {
    name: "games-unread",
    as: "newcomer",
    before: joinEarly,
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
    name: "chat-earlier",
    as: "newcomer",
    before: join("talk"),
    path: (scenario) => `${chatOf("talk")(scenario)}?before=6`,
    act: (page) => page.getByRole("link", { name: "Latest messages" }).scrollIntoViewIfNeeded(),
    isCropped: true,
  },
  {
    name: "chat-rejected",
    as: "newcomer",
    before: join("talk"),
    path: chatOf("talk"),
    act: async (page) => {
      await rejectSends(page);
      await fillIn(page, UNSENT);
      await press(page, "Send");
      await page.getByText(REJECTED).waitFor();
    },
    isCropped: true,
  },
  {
    name: "chat-waiting",
    as: "newcomer",
    before: join("busy"),
    path: chatOf("busy"),
    act: async (page) => {
      await sendTooFast(page);
      await fillIn(page, "Who is coming? 7");
      await press(page, "Send");
      await page.getByText("Waiting…").waitFor();
    },
    isCropped: true,
  },
];

const POSTS = "**/chat.data*";
export const UNSENT = "I am on the bus and five minutes late. Start without me!";

export const fillIn = (page: Page, text: string) =>
  page.getByRole("textbox", { name: "Message" }).fill(text);

/** Menu of a message that is not removed, of somebody else. */
const openMenu = (page: Page) =>
  page
    .getByLabel(/^Menu of (?!your)/)
    .last()
    .click();

async function sendInVain(page: Page, text: string) {
  await fillIn(page, text);
  await pressInVain(page, "Send");
}

/** Answers like the server for a player who is suspended at that moment. */
async function rejectSends(page: Page) {
  await page.route(POSTS, async (route) => {
    const sent = new URLSearchParams(route.request().postData() ?? "").get("messageId");
    const data = [{ _1: 2 }, "data", { _3: 4, _5: 6 }, "formError", REJECTED, "values", { _7: 8 }];
    await route.fulfill({
      ...{ status: 403, contentType: "text/x-script", headers: { "X-Remix-Response": "yes" } },
      body: JSON.stringify([...data, "messageId", sent]),
    });
  });
}

const REJECTED = "Your account is suspended.";

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

/** Others write while somebody reads further up: sent by a stream of the test's own. */
async function receiveThree(page: Page) {
  const messages = await page.evaluate(() => {
    const { state } = (window as unknown as { __reactRouterDataRouter: Router })
      .__reactRouterDataRouter;
    const { chat } = state.loaderData["routes/games/chat/show"]!;
    const last = chat.messages.at(-1)!;
    const said = chat.messages.find(({ name, kind }) => name === "Aino" && kind === "Text")!;
    const { date, day, time, sentAt } = last;
    const when = { date, day, time, sentAt };
    return [1, 2, 3].map((n) => ({ ...said, ...when, id: `new-${n}`, number: last.number + n }));
  });
  await page.route("**/live?*", (route) =>
    route.fulfill({
      contentType: "text/event-stream",
      body: `event: chat\ndata: ${JSON.stringify({ messages })}\n\n`,
    }),
  );
  await page.evaluate(() => scrollTo(0, 0));
  await showTab(page, "hidden");
  await showTab(page, "visible");
  await page.getByRole("button", { name: "3 new messages" }).waitFor();
}

interface Router {
  state: { loaderData: Record<string, { chat: ChatPage }> };
}
