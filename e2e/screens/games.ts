import type { Page } from "@playwright/test";
import { clearToast, openUnanswered, press, pressUnanswered, showOldHour } from "./screen.ts";
import { DEBTOR } from "./payments.ts";
import { joinAnnouncedGame, type Scenario, type Screen } from "./scenario.ts";

const open = ({ open: id }: Scenario) => `/events/${id}`;
const spare = ({ spare: id }: Scenario) => `/events/${id}`;

/** The list of games, one game, and all that may come of joining it. */
export const GAME_SCREENS: Screen[] = [
  { name: "events", as: "player", path: "/events" },
  { name: "events-new-player", as: "newcomer", path: "/events" },
  { name: "events-filtered", as: "player", path: "/events?city=Espoo&time=Evening" },
  { name: "events-empty", as: "player", path: "/events?outdoor=1&city=Espoo" },
  {
    name: "events-loading",
    as: "player",
    path: "/bookings",
    act: (page) => openUnanswered(page, "Games", "Loading games"),
    endsOn: "/bookings",
    isCropped: true,
  },
  { name: "events-gone", as: "player", path: "/events", act: loseGames },
  { name: "filters", as: "player", path: "/events", act: openFilters, isCropped: true },
  { name: "game-visitor", path: open },
  { name: "game-visitor-free", path: ({ free }) => `/events/${free}` },
  { name: "game-not-found", path: "/events/00000000-0000-4000-8000-000000000000" },
  { name: "game-player", as: "player", path: open },
  { name: "game-free", as: "player", path: ({ free }) => `/events/${free}` },
  { name: "game-full", as: "player", path: ({ full }) => `/events/${full}` },
  { name: "game-empty", as: "player", path: ({ empty }) => `/events/${empty}` },
  { name: "game-attending", as: "player", path: ({ joined }) => `/events/${joined}` },
  {
    name: "joined-dialog",
    as: "player",
    path: ({ joined }) => `/events/${joined}/joined`,
    endsOn: ({ joined }) => `/events/${joined}`,
  },
  {
    name: "game-attending-late",
    as: "newcomer",
    path: ({ late }) => `/events/${late}`,
    before: joinAnnouncedGame,
  },
  { name: "game-past", as: "player", path: ({ past }) => `/events/${past}` },
  { name: "game-over", as: "broke", path: ({ past }) => `/events/${past}` },
  { name: "game-organiser", as: "admin", path: ({ open }) => `/events/${open}` },
  { name: "game-cancelled", path: ({ calledOff }) => `/events/${calledOff}` },
  { name: "game-called-off", as: "admin", path: ({ calledOff }) => `/events/${calledOff}` },
  { name: "game-draft", as: "admin", path: ({ draft }) => `/events/${draft}` },
  {
    name: "game-joining",
    as: "player",
    path: open,
    act: (page) => pressUnanswered(page, "Join game", "**/events/*.data*"),
  },
  {
    name: "game-joined",
    as: "newcomer",
    path: spare,
    act: (page) => press(page, "Join game"),
    toast: "Successfully joined!",
  },
  {
    name: "game-joined-free",
    as: "newcomer",
    path: ({ free }) => `/events/${free}`,
    act: (page) => press(page, "Join game"),
    toast: "Successfully joined!",
  },
  { name: "game-short", as: "broke", path: open },
  { name: "join-failed-debt", as: DEBTOR, path: open, act: joinInVain },
  {
    name: "game-price-changed",
    as: "player",
    path: open,
    act: joinAtOldPrice,
    toast: "Booking Error",
  },
  { name: "game-moved", as: "player", path: open, act: joinOldHour, toast: "Booking Error" },
  {
    name: "game-already-joined",
    as: "newcomer",
    path: spare,
    act: joinTwice,
    toast: "Booking Error",
  },
  { name: "game-link-copied", path: open, act: copyLink, toast: "Link copied!" },
  {
    name: "game-link-not-copied",
    path: open,
    act: copyLinkInVain,
    toast: "Could not copy link to clipboard.",
  },
];

/** Cancels the first games of the list while it is open. */
async function loseGames(page: Page) {
  await page.route("**/live?*", async (route) => {
    const games = new URL(route.request().url()).searchParams.get("games")?.split(",") ?? [];
    const events = games.slice(0, 3).map((id) => `event: gone\ndata: {"id":"${id}"}\n\n`);
    await route.fulfill({ contentType: "text/event-stream", body: events.join("") });
  });
  await page.reload();
  await page.getByText("No longer on").first().waitFor();
}

async function openFilters(page: Page) {
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByRole("checkbox", { name: "Indoor" }).check();
  await page.getByRole("checkbox", { name: "Espoo" }).check();
}

async function joinInVain(page: Page) {
  await press(page, "Join game");
  const plans = page.getByRole("dialog", { name: "Choose Your Plan" });
  await plans.getByRole("button", { name: "Close" }).click();
  await page.getByRole("main").getByRole("alert").waitFor();
}

async function joinAtOldPrice(page: Page) {
  await page
    .locator("input[name=priceShown]")
    .evaluate((field) => field.setAttribute("value", "9"));
  await press(page, "Join game");
}

async function joinOldHour(page: Page) {
  await showOldHour(page);
  await press(page, "Join game");
}

/** Acts in a second tab: this one does not know yet. */
async function joinTwice(page: Page) {
  await page.request.post(page.url(), { form: { intent: "join" }, maxRedirects: 0 });
  await clearToast(page);
  await press(page, "Join game");
}

export async function copyLink(page: Page) {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await press(page, /^Share/i);
}

async function copyLinkInVain(page: Page) {
  await page.evaluate(() => {
    const clipboard = { writeText: () => Promise.reject(new Error("not allowed")) };
    Object.defineProperty(navigator, "clipboard", { value: clipboard });
  });
  await press(page, /^Share/i);
}
