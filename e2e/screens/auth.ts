import { expect, type Page } from "@playwright/test";
import { DEMO_PASSWORD } from "../../db/demo/people.ts";
import { press, pressInVain, pressUnanswered } from "./screen.ts";
import { GUESSED, type Screen } from "./scenario.ts";
import { Secret, TOTP } from "otpauth";
import { changeRole } from "#app/features/accounts/account-status.server.ts";
import type { Db } from "#app/platform/db.server.ts";

const WRONG = "Wrong1234";
const KNOWN = "player@uni.example";
const OWN = "iris.koski@uni.example";
const NEW = "pia.aalto@uni.example";

/** Signing up, in and out, and what links of mails lead to. */
export const AUTH_SCREENS: Screen[] = [
  { name: "auth-sign-in", path: "/auth" },
  { name: "auth-sign-in-errors", path: "/auth", act: (page) => pressInVain(page, "Sign In") },
  {
    name: "auth-sign-in-wrong",
    path: "/auth",
    act: (page) => signIn(page, "nobody-knows@uni.example"),
    toast: "Sign in failed",
  },
  {
    name: "auth-sign-in-unconfirmed",
    path: "/auth",
    act: (page, { unconfirmed }) => signIn(page, `${unconfirmed}@uni.example`, DEMO_PASSWORD),
    toast: "Sign in failed",
  },
  {
    name: "auth-sign-in-too-many",
    path: "/auth",
    act: (page) => signIn(page, GUESSED),
    toast: "Sign in failed",
  },
  {
    name: "auth-signing-in",
    path: "/auth",
    act: (page) => pressUnanswered(page, "Sign In", "**/auth.data*"),
  },
  { name: "auth-game", path: ({ open }) => toGame(open) },
  { name: "auth-game-sign-in", path: ({ open }) => `${toGame(open)}&tab=sign-in` },
  {
    name: "auth-game-sent",
    path: ({ open }) => toGame(open),
    act: signUp,
    toast: "Check your email",
  },
  { name: "auth-sign-up", path: "/auth?tab=sign-up" },
  {
    name: "auth-sign-up-errors",
    path: "/auth?tab=sign-up",
    act: (page) => pressInVain(page, "Sign up"),
  },
  {
    name: "auth-signing-up",
    path: "/auth?tab=sign-up",
    act: async (page) => {
      await fillSignUp(page, NEW);
      await pressUnanswered(page, "Sign up", "**/auth.data*");
    },
  },
  { name: "auth-sign-up-sent", path: "/auth?tab=sign-up", act: signUp, toast: "Check your email" },
  {
    name: "auth-sign-up-other-school",
    path: "/auth?tab=sign-up",
    act: async (page) => {
      await fillSignUp(page, "pia@elsewhere.example");
      await pressInVain(page, "Sign up");
    },
  },
  {
    name: "auth-sign-up-proof",
    path: ({ openToken }) => `/auth?tab=sign-up&proof=${openToken}`,
  },
  { name: "forgot", path: "/auth/forgot" },
  { name: "forgot-sent", path: "/auth/forgot", act: askForLink, toast: "Check your email" },
  { name: "reset", path: ({ resetToken }) => `/auth/reset?token=${resetToken}` },
  {
    name: "reset-errors",
    path: ({ resetToken }) => `/auth/reset?token=${resetToken}`,
    act: (page) => pressInVain(page, "Save password"),
  },
  { name: "reset-stale", path: "/auth/reset?token=stale" },
  {
    name: "confirm-own",
    path: "/auth?tab=sign-up",
    act: openOwnLink,
    endsOn: "/auth/confirm",
  },
  { name: "confirm-other", path: ({ openToken }) => `/auth/confirm?token=${openToken}` },
  {
    name: "confirm-no-password",
    path: ({ openToken }) => `/auth/confirm?token=${openToken}`,
    act: (page) => pressInVain(page, "Confirm my email"),
  },
  {
    name: "confirm-wrong-password",
    path: ({ openToken }) => `/auth/confirm?token=${openToken}`,
    act: async (page) => {
      await page.getByLabel("password", { exact: true }).fill(WRONG);
      await pressInVain(page, "Confirm my email");
    },
  },
  { name: "confirm-used", path: ({ usedToken }) => `/auth/confirm?token=${usedToken}` },
  { name: "confirm-stale", path: "/auth/confirm?token=stale" },
  {
    name: "confirm-resent",
    path: "/auth/confirm?token=stale",
    act: askForLink,
    endsOn: "/auth",
    toast: "Check your email",
  },
  {
    name: "confirm-resend-errors",
    path: "/auth/confirm?token=stale",
    act: (page) => pressInVain(page, "Send the link again"),
    endsOn: "/auth",
  },
  {
    name: "confirmed",
    path: ({ confirmToken }) => `/auth/confirm?token=${confirmToken}`,
    act: async (page) => {
      await page.getByLabel("password", { exact: true }).fill(DEMO_PASSWORD);
      await press(page, "Confirm my email");
      await page.getByRole("heading", { name: "Hi Tove" }).waitFor();
    },
    endsOn: "/events",
    toast: "Your email is confirmed",
  },
  {
    name: "signed-out",
    as: "newcomer",
    path: "/settings",
    act: async (page) => {
      await press(page, "Logout");
      await page.getByText("You have been successfully logged out.").waitFor();
    },
    endsOn: "/",
  },
];

const toGame = (id: string) => `/auth?redirectTo=%2Fevents%2F${id}`;

async function signIn(page: Page, email: string, password = WRONG) {
  await page.getByLabel("email", { exact: true }).fill(email);
  await page.getByLabel("password", { exact: true }).fill(password);
  await pressInVain(page, "Sign In");
}

async function fillSignUp(page: Page, email: string) {
  const panel = page.getByRole("tabpanel");
  await panel.getByLabel("email (school) *").fill(email);
  await panel.getByLabel("password *").fill("Kickabout1");
  await panel.getByLabel("First Name *").fill("Pia");
  await panel.getByLabel("Last Name *").fill("Aalto");
  await panel.getByLabel("Date of Birth *").fill("2003-02-01");
  await panel.getByLabel("Year of Study *").selectOption("Bachelor");
  await panel.getByLabel("Major *").fill("Design");
}

async function signUp(page: Page) {
  await fillSignUp(page, NEW);
  await press(page, "Sign up");
  await page.getByRole("heading", { name: "Check your email" }).waitFor();
}

/** The mail is sent a moment after the response; polls the outbox until it is there. */
async function openOwnLink(page: Page) {
  await fillSignUp(page, OWN);
  await press(page, "Sign up");
  await page.getByRole("heading", { name: "Check your email" }).waitFor();
  const mail = page.getByRole("article").filter({ hasText: OWN });
  await expect(async () => {
    await page.goto("/demo/outbox");
    await expect(mail).not.toHaveCount(0, { timeout: 200 });
  }).toPass();
  await mail.first().getByRole("link", { name: "Open the link" }).click();
  await page.getByRole("heading", { name: "Confirm your email" }).waitFor();
}

async function askForLink(page: Page) {
  await page.getByLabel("email", { exact: true }).fill(KNOWN);
  await press(page, /^Send the link/);
}

const PATH = "/settings/two-factor";

/** Two-factor sign-in of an admin, and the list of devices. */
export const TWO_FACTOR_SCREENS: Screen[] = [
  { name: "sessions", as: "player", path: "/settings/sessions" },
  { name: "two-factor", as: "newcomer", before: makeAdmin, path: PATH },
  { name: "two-factor-scan", as: "newcomer", before: makeAdmin, path: PATH, act: start },
  {
    name: "two-factor-codes",
    as: "newcomer",
    before: makeAdmin,
    path: PATH,
    act: async (page) => void (await turnOn(page)),
  },
  {
    name: "two-factor-on",
    as: "newcomer",
    before: makeAdmin,
    path: PATH,
    act: async (page) => {
      await turnOn(page);
      await page.goto(PATH, { waitUntil: "networkidle" });
    },
  },
  {
    name: "auth-code",
    as: "newcomer",
    before: makeAdmin,
    path: PATH,
    act: async (page) => {
      await turnOn(page);
      const email = await signOutOf(page);
      await page.getByLabel("email", { exact: true }).fill(email);
      await page.getByLabel("password", { exact: true }).fill(DEMO_PASSWORD);
      await press(page, "Sign In");
    },
    endsOn: "/auth/code",
  },
];

async function makeAdmin(db: Db, userId: string) {
  await changeRole(db, { userId, isAdmin: true, actor: "command" });
}

async function start(page: Page) {
  await page.getByLabel("Your password", { exact: true }).fill(DEMO_PASSWORD);
  await press(page, "Set up");
  await page.getByRole("img", { name: /QR code/ }).waitFor();
}

/** Answers the secret that the page shows. */
export async function turnOn(page: Page): Promise<string> {
  await start(page);
  const link = page.getByRole("link", { name: "open it on this device" });
  const address = new URL((await link.getAttribute("href"))!);
  const secret = address.searchParams.get("secret")!;
  await page
    .getByLabel("Code", { exact: true })
    .fill(TOTP.generate({ secret: Secret.fromBase32(secret) }));
  await press(page, "Turn on");
  await page.getByRole("list", { name: "Recovery codes" }).waitFor();
  return secret;
}

/** Opens the sign-in form in a signed-out browser; returns the email that was signed in. */
async function signOutOf(page: Page): Promise<string> {
  await page.goto("/settings/change-password");
  const email = await page.locator("input[name=username]").inputValue();
  await page.context().clearCookies();
  await page.goto("/auth", { waitUntil: "networkidle" });
  return email;
}
