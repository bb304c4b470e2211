import { mkdirSync } from "node:fs";
import path from "node:path";
import { type BrowserContext, chromium, type Page } from "@playwright/test";
import { connect } from "../app/platform/connect.server.ts";
import { DEMO_PASSWORD } from "../db/demo/people.ts";
import { findBrowser } from "../test/browser.ts";
import { findGames, type GameIds } from "./games.ts";
import { PROFILE_SCREENS } from "./profile-screens.ts";
import { CARD_PATH, stageCard } from "./staged-card.ts";
import { BUYER, DEBTOR, PAID, stagePayments } from "./staged-payments.ts";
import { SETTINGS_SCREENS } from "./settings-screens.ts";
import { startSite } from "./site.ts";

const ACCOUNTS = [undefined, "player", "broke", "admin", BUYER, DEBTOR] as const;
type Account = Exclude<(typeof ACCOUNTS)[number], undefined>;

export interface Screen {
  name: string;
  /** The demo account that looks; without one a visitor. */
  as?: Account;
  path: string | ((games: GameIds) => string);
  /** What is done on the page before it is drawn. */
  act?: (page: Page) => Promise<void>;
  /** Only what is on the screen, where a dialog covers the page. */
  isCropped?: boolean;
}

const PAYER = "?prefilled_email=pia%40uni.example";
const SCREENS: Screen[] = [
  { name: "landing", path: "/" },
  { name: "auth-sign-in", path: "/auth" },
  { name: "auth-sign-in-errors", path: "/auth", act: (page) => press(page, "Sign In") },
  { name: "auth-sign-up", path: "/auth?tab=sign-up" },
  { name: "auth-sign-up-errors", path: "/auth?tab=sign-up", act: (page) => press(page, "Sign up") },
  { name: "auth-sign-up-sent", path: "/auth?tab=sign-up", act: signUp },
  { name: "forgot", path: "/auth/forgot" },
  { name: "reset-stale", path: "/auth/reset?token=stale" },
  { name: "confirm-stale", path: "/auth/confirm?token=stale" },
  { name: "game-visitor", path: ({ open }) => `/events/${open}` },
  { name: "game-visitor-free", path: ({ free }) => `/events/${free}` },
  { name: "game-not-found", path: "/events/00000000-0000-4000-8000-000000000000" },
  { name: "venues", path: "/venues" },
  { name: "venues-cities", path: "/venues", act: openCities, isCropped: true },
  { name: "venues-no-option", path: "/venues", act: searchInVain, isCropped: true },
  { name: "venues-empty", path: "/venues?city=Turku,Oulu" },
  { name: "venue", path: "/venues", act: openVenue },
  { name: "venue-photos", path: "/venues", act: openPhotos, isCropped: true },
  { name: "venue-not-found", path: "/venues/none" },
  { name: "bookings-visitor", path: "/bookings" },
  { name: "outbox", path: "/demo/outbox" },
  { name: "not-found", path: "/nowhere" },
  { name: "events", as: "player", path: "/events" },
  { name: "events-empty", as: "player", path: "/events?outdoor=1&city=Espoo" },
  { name: "filters", as: "player", path: "/events", act: openFilters, isCropped: true },
  { name: "game-player", as: "player", path: ({ open }) => `/events/${open}` },
  { name: "game-free", as: "player", path: ({ free }) => `/events/${free}` },
  { name: "game-full", as: "player", path: ({ full }) => `/events/${full}` },
  { name: "game-empty", as: "player", path: ({ empty }) => `/events/${empty}` },
  { name: "game-attending", as: "player", path: ({ joined }) => `/events/${joined}` },
  { name: "game-refused", as: "broke", path: ({ open }) => `/events/${open}`, act: joinInVain },
  { name: "bookings", as: "player", path: "/bookings" },
  { name: "bookings-empty", as: "broke", path: "/bookings" },
  { name: "cancel-dialog", as: "player", path: "/bookings", act: openCancel, isCropped: true },
  { name: "plans", as: "player", path: "/bookings", act: openPlans, isCropped: true },
  { name: "plans-monthly", as: "player", path: "/wallet", act: openMonthly, isCropped: true },
  { name: "plans-failed", as: "player", path: "/bookings", act: startOffline, isCropped: true },
  {
    name: "plans-join",
    as: "broke",
    path: ({ open }) => `/events/${open}`,
    act: lackCredits,
    isCropped: true,
  },
  {
    name: "checkout",
    as: "player",
    path: `/demo/checkout/pay_per_game${PAYER}`,
  },
  {
    name: "checkout-declined",
    path: `/demo/checkout/pay_per_game${PAYER}`,
    act: (page) => press(page, "Fail"),
  },
  { name: "checkout-later", path: `/demo/checkout/pay_per_game${PAYER}`, act: payLater },
  { name: "checkout-monthly", path: `/demo/checkout/monthly_8${PAYER}` },
  { name: "portal", as: BUYER, path: "/demo/checkout/portal" },
  { name: "portal-empty", as: "broke", path: "/demo/checkout/portal" },
  { name: "wallet", as: BUYER, path: "/wallet" },
  { name: "wallet-debt", as: DEBTOR, path: "/wallet" },
  { name: "wallet-empty", as: "broke", path: "/wallet" },
  { name: "paid-waiting", as: "player", path: "/wallet/paid?session_id=cs_test_unknown" },
  { name: "paid-arrived", as: BUYER, path: `/wallet/paid?session_id=${PAID}` },
  { name: "profile", as: BUYER, path: "/profile" },
  ...PROFILE_SCREENS,
  { name: "card-visitor", path: CARD_PATH },
  { name: "card-gone", path: "/card/nobody-shares-this-one" },
  { name: "player-card", as: "broke", path: "/profile/player-card" },
  { name: "player-card-shared", as: "player", path: "/profile/player-card" },
  ...SETTINGS_SCREENS,
  { name: "payments", as: "admin", path: "/admin/payments" },
  {
    name: "payments-set-aside",
    as: "admin",
    path: "/admin/payments",
    act: setAside,
    isCropped: true,
  },
  { name: "access-denied", as: "player", path: "/admin/payments" },
];
const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];

/** `node e2e/screens.ts FOLDER [NAME …]`: a picture of every page and state, in both themes. */
async function drawScreens(folder: string, names: string[]) {
  const wanted = SCREENS.filter(({ name }) => names.length === 0 || names.includes(name));
  mkdirSync(folder, { recursive: true });
  const site = await startSite();
  const browser = await chromium.launch(findBrowser());
  try {
    const games = await stage(site.dataDir);
    for (const viewport of SIZES) {
      for (const colorScheme of ["light", "dark"] as const) {
        const look = { viewport, colorScheme, baseURL: site.url, reducedMotion: "reduce" as const };
        const suffix = `${viewport.width}-${colorScheme}.png`;
        for (const as of ACCOUNTS) {
          const context = await browser.newContext(look);
          if (as) await signIn(context, as);
          const screens = wanted.filter((screen) => screen.as === as);
          for (const screen of screens) {
            await draw(context, screen, games, path.join(folder, `${screen.name}-${suffix}`));
          }
          await context.close();
        }
      }
    }
  } finally {
    await browser.close();
    await site.stop();
  }
}

async function draw(context: BrowserContext, screen: Screen, games: GameIds, file: string) {
  const page = await context.newPage();
  await page.goto(typeof screen.path === "string" ? screen.path : screen.path(games));
  await screen.act?.(page);
  if (!screen.isCropped) await growToPage(page);
  await loadPictures(page);
  await page.screenshot({ path: file });
  await page.close();
}

/** As a picture of the whole page draws them, bars at the lower edge would stand in its middle. */
async function growToPage(page: Page) {
  const { width, height } = page.viewportSize()!;
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height: Math.max(height, whole) });
}

/** Pictures further down load as they come near; a picture of the whole page needs them all. */
async function loadPictures(page: Page) {
  await page.evaluate(async () => {
    const images = [...document.images].filter((image) => image.checkVisibility());
    for (const image of images) image.loading = "eager";
    await Promise.all(images.map((image) => image.decode().catch(() => {})));
  });
  await page.waitForLoadState("networkidle");
}

async function signIn(context: BrowserContext, who: string) {
  const form = { intent: "sign-in", email: `${who}@uni.example`, password: DEMO_PASSWORD };
  await context.request.post("/auth", { form, maxRedirects: 0 });
}

/** Adds payments to the demo world, for pictures of wallets that have some. */
async function stage(dataDir: string): Promise<GameIds> {
  const { db, close } = await connect({ databaseUrl: undefined, dataDir });
  try {
    await stagePayments(db);
    await stageCard(db);
    return await findGames(db);
  } finally {
    await close();
  }
}

async function press(page: Page, name: string) {
  await page.getByRole("button", { name, exact: true }).click();
  await page.getByRole("alert").waitFor();
}

async function signUp(page: Page) {
  const fields = page.getByRole("tabpanel").locator("input:not([type=hidden])");
  const values = [`pia${Date.now()}@uni.example`, "Kickabout1", "Pia", "Aalto", "2003-02-01"];
  for (const [index, value] of values.entries()) await fields.nth(index).fill(value);
  await page.getByLabel("Year of Study *").selectOption("Bachelor");
  await page.getByLabel("Major *").fill("Design");
  await page.getByRole("button", { name: "Sign up" }).click();
  await page.getByText("Check your email").first().waitFor();
}

async function openFilters(page: Page) {
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByRole("checkbox", { name: "Indoor" }).check();
  await page.getByRole("checkbox", { name: "Espoo" }).check();
}

async function openCities(page: Page) {
  await page.getByRole("combobox", { name: "City" }).click();
  await page.getByRole("option", { name: "Espoo" }).click();
  await page.waitForURL(/Espoo/);
}

async function searchInVain(page: Page) {
  await page.getByRole("combobox", { name: "City" }).fill("Turku");
  await page.getByText("No options found").waitFor();
}

async function openVenue(page: Page) {
  await page.getByRole("link", { name: "Otaniemi Sports Hall" }).click();
  await page.getByRole("region", { name: "Upcoming games" }).waitFor();
}

async function openPhotos(page: Page) {
  await openVenue(page);
  await page
    .getByRole("link", { name: /^View photo/ })
    .first()
    .click();
  await page.getByRole("dialog", { name: "Photos" }).getByRole("img").first().waitFor();
}

async function joinInVain(page: Page) {
  await page.getByRole("button", { name: "Join game" }).click();
  const plans = page.getByRole("dialog", { name: "Choose Your Plan" });
  await plans.getByRole("button", { name: "Close" }).click();
  await page.getByRole("main").getByRole("alert").waitFor();
}

async function openPlans(page: Page) {
  await page.getByRole("button", { name: "Buy credits" }).click();
  await page.getByRole("button", { name: "START PLAYING" }).waitFor();
}

async function openMonthly(page: Page) {
  await openPlans(page);
  await page.getByRole("tab", { name: "Monthly Subscription" }).click();
}

async function startOffline(page: Page) {
  await openPlans(page);
  await page.route("**/checkout.data*", (route) => route.abort());
  await page.getByRole("button", { name: "START PLAYING" }).click();
  await page.getByRole("dialog").getByRole("alert").waitFor();
}

async function lackCredits(page: Page) {
  await page.getByRole("button", { name: "Join game" }).click();
  await page.getByRole("button", { name: "START PLAYING" }).waitFor();
}

async function payLater(page: Page) {
  await page.getByRole("button", { name: "Pay later" }).click();
  await page.getByRole("heading", { name: "Your bank will confirm" }).waitFor();
}

async function setAside(page: Page) {
  await page
    .getByRole("button", { name: /^Set aside/ })
    .first()
    .click();
  await page.getByRole("dialog").waitFor();
}

async function openCancel(page: Page) {
  await page.getByRole("button", { name: "Cancel" }).first().click();
  await page.getByRole("dialog").waitFor();
}

const [folder, ...names] = process.argv.slice(2);
if (!folder) throw new Error("Usage: node e2e/screens.ts FOLDER [NAME …]");
await drawScreens(folder, names);
