import type { Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { changeRole } from "#app/features/accounts/account-status.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { DEMO_PASSWORD } from "../../db/demo/people.ts";
import { press, type Screen } from "./screen.ts";

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

/** To the form of sign-in, as somebody else's browser has it; answers whose address it was. */
async function signOutOf(page: Page): Promise<string> {
  await page.goto("/settings/change-password");
  const email = await page.locator("input[name=username]").inputValue();
  await page.context().clearCookies();
  await page.goto("/auth", { waitUntil: "networkidle" });
  return email;
}
