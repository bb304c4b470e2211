import { expect, test } from "./fixtures.ts";
import { findGames, type GameIds } from "./games.ts";
import { expectToFit } from "./fits.ts";
import { runningMotions } from "./layout.ts";
import { aMatch } from "./matches.ts";
import type { Page } from "@playwright/test";
import { stripes } from "#test/pictures.ts";
import { isLong } from "#test/long.ts";
import { makeTeams } from "#app/features/teams/change-teams.server.ts";
import { markAttendance } from "#app/features/roster/roster.server.ts";

/** A page and what is opened on it, where layout and targets are measured. */
interface View {
  path: string | ((games: GameIds) => string);
  act?: (page: Page) => Promise<void>;
}

const VISITOR: View[] = [
  { path: "/" },
  { path: "/auth" },
  { path: "/auth", act: (page) => press(page, "Sign In") },
  { path: "/auth?tab=sign-up" },
  { path: "/auth?tab=sign-up", act: (page) => press(page, "Sign up") },
  { path: "/auth/forgot" },
  { path: "/auth/reset?token=stale" },
  { path: "/auth/confirm?token=stale" },
  { path: ({ open }) => `/events/${open}` },
  { path: ({ free }) => `/events/${free}` },
  { path: "/events/none" },
  { path: "/venues" },
  { path: "/venues", act: openCities },
  { path: "/venues?city=Turku,Oulu" },
  { path: "/venues", act: openVenue },
  { path: "/venues", act: openPhotos },
  { path: "/venues/none" },
  { path: "/bookings" },
  { path: "/card/none" },
  { path: "/terms" },
  { path: "/privacy" },
  { path: "/accessibility" },
  { path: "/demo/outbox" },
  { path: "/demo/checkout/pay_per_game" },
  { path: "/nowhere" },
];

const PLAYER: View[] = [
  { path: "/events" },
  { path: "/events?outdoor=1&city=Espoo" },
  { path: "/events", act: openFilters },
  { path: ({ open }) => `/events/${open}` },
  { path: ({ full }) => `/events/${full}` },
  { path: ({ joined }) => `/events/${joined}` },
  { path: ({ joined }) => `/events/${joined}/chat` },
  { path: ({ empty }) => `/events/${empty}` },
  { path: ({ joined }) => `/events/${joined}`, act: openAnotherProfile },
  { path: "/venues?city=Espoo" },
  { path: "/bookings" },
  { path: "/bookings", act: openCancel },
  { path: "/wallet" },
  { path: "/wallet", act: openPlans },
  { path: "/wallet/paid?session_id=cs_test_unknown" },
  { path: "/profile" },
  { path: "/profile", act: failProfile },
  { path: "/profile", act: placePicture },
  { path: "/profile/none" },
  { path: "/profile/player-card" },
  ...["", "/notifications", "/contact-support", "/onboarding", "/withdraw", "/delete-account"].map(
    (below) => ({
      path: `/settings${below}`,
    }),
  ),
  { path: "/settings/leave-review", act: (page) => press(page, "Submit review") },
  { path: "/settings/change-password", act: (page) => press(page, "Update password") },
  { path: "/demo/checkout/monthly_8" },
  { path: "/demo/checkout/portal" },
  { path: "/admin" },
];

const TABS = [
  "partners",
  "games",
  "legal",
  "venues",
  "players",
  "packs",
  "payments",
  "inbox",
  "log",
];
const ADMIN: View[] = [
  ...["/events", "/profile", "/admin", ...TABS.map((tab) => `/admin/${tab}`)].map((path) => ({
    path,
  })),
];

/** Every page with its dialogs open, by the demo account that sees it. */
const VIEWS = { visitor: VISITOR, player: PLAYER, admin: ADMIN };

for (const [who, views] of Object.entries(VIEWS)) {
  test(`${who}: pages fit small screens, wide text and thumbs, and nothing moves`, async ({
    page,
    signIn,
    database,
  }) => {
    if (who !== "visitor") await signIn(who);
    const games = await findGames(database.db);
    // Otherwise at what is opened on them: a11y.spec.ts measures each page as it is.
    for (const view of views.filter(({ act }) => isLong || act)) await measure(page, view, games);
  });
}

/** Pages of a game that is on: the short form looks at its roster. */
const MATCH_DAY = ["", "/teams", "/print", "/cancel", "/edit"];
const CREW = ["Aino", "Bertta-Maria", "Cecilia", "Daniela", "Eevi"];

test("organiser: the roster, teams, a player, a message and the log fit them too", async ({
  page,
  signIn,
  database,
}) => {
  const { gameId, bookings, actorId } = await aMatch(database, CREW, ["Fanni", "Greta"]);
  const seat = { gameId, bookingId: bookings.get("Aino")!, actorId, now: new Date() };
  await markAttendance(database.db, { ...seat, from: null, to: "NoShow" });
  const teams = { gameId, actorId, version: 0, count: 2, seed: 1, formKey: undefined } as const;
  expect((await makeTeams(database.db, teams)).ok).toBe(true);
  const bookingOf = database.db.selectFrom("bookings").select("user_id");
  const { user_id } = await bookingOf.where("id", "=", seat.bookingId).executeTakeFirstOrThrow();
  const words = { subject: "Lost shoes", message: "They are black. ".repeat(20) };
  const messages = database.db.insertInto("support_messages").values({ user_id, ...words });
  const { id } = await messages.returning("id").executeTakeFirstOrThrow();
  const views: View[] = [
    ...MATCH_DAY.map((below) => ({ path: `/admin/games/${gameId}${below}` })),
    { path: `/admin/games/${gameId}`, act: unfoldRows },
    ...[`/admin/players/${user_id}`, `/admin/inbox/${id}`, "/admin/log"].map((path) => ({ path })),
  ];
  await signIn("admin");
  const games = await findGames(database.db);
  for (const view of isLong ? views : views.slice(0, 1)) await measure(page, view, games);
});

async function unfoldRows(page: Page) {
  for (const fold of await page.locator("summary:visible").all()) await fold.click();
}

async function measure(page: Page, view: View, games: GameIds) {
  const where = await openView(page, view, games);
  expect.soft(await page.evaluate(runningMotions), `motion in ${where}`).toEqual([]);
  await expectToFit(page, where);
}

async function openView(page: Page, { path, act }: View, games: GameIds) {
  const address = typeof path === "string" ? path : path(games);
  await page.goto(address);
  await act?.(page);
  return act ? `${address} after ${act.name || "pressing"}` : address;
}

async function press(page: Page, name: string) {
  await page.getByRole("button", { name, exact: true }).click();
  await page.getByRole("main").getByRole("alert").waitFor();
}

async function openCities(page: Page) {
  await page.getByRole("combobox", { name: "City" }).click();
  await page.getByRole("option", { name: "Espoo" }).click();
  await page.waitForURL(/Espoo/);
}

async function openVenue(page: Page) {
  await page.getByRole("article").first().getByRole("link").click();
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

async function openFilters(page: Page) {
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByRole("button", { name: "Apply Selection" }).waitFor();
}

async function openCancel(page: Page) {
  await page
    .getByRole("button", { name: /^Cancel/ })
    .first()
    .click();
  await page.getByRole("button", { name: "Keep my spot" }).waitFor();
}

async function openPlans(page: Page) {
  await page.getByRole("button", { name: "Buy credits" }).click();
  await page.getByRole("tab", { name: "Monthly Subscription" }).click();
  await page.getByRole("button", { name: "START PLAYING" }).waitFor();
}

async function openProfile(page: Page) {
  await page.getByRole("button", { name: "Edit profile" }).click();
  await page.getByPlaceholder("Search countries").waitFor();
}

async function failProfile(page: Page) {
  await openProfile(page);
  await page.getByLabel("First Name *").fill("R2D2");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByRole("dialog").getByRole("alert").waitFor();
}

async function choosePicture(page: Page) {
  const buffer = await stripes(600, 300).jpeg().toBuffer();
  const file = { name: "me.jpg", mimeType: "image/jpeg", buffer };
  await page.getByLabel("Choose a picture").setInputFiles(file);
  await page.getByRole("slider", { name: "Zoom" }).waitFor();
}

async function placePicture(page: Page) {
  await page.getByRole("button", { name: "Change picture" }).click();
  await choosePicture(page);
}

async function openAnotherProfile(page: Page) {
  await page
    .getByRole("main")
    .locator('a[href^="/profile/"]')
    .filter({ hasNotText: "Eero" })
    .first()
    .click();
  await page.getByText("Events joined").waitFor();
}
