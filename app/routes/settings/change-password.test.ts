import { describe, expect, test } from "vitest";
import { signIn, visit } from "#test/visit.ts";
import { PASSWORD } from "#test/accounts.ts";
import { BusyError } from "#app/platform/fair-queue.server.ts";
import { TOO_MANY_SIGN_INS, TRY_AGAIN } from "#app/forms/messages.ts";
import { action } from "./change-password.tsx";
import { loader as settingsPage } from "./index.tsx";
import { useSettings } from "#test/settings.ts";

const settings = useSettings();
const NEW = "Another2Password";
const change = (cookie: string, fields: Record<string, string>) =>
  settings.post(action, "/change-password", cookie, {
    intent: "change-password",
    currentPassword: PASSWORD,
    newPassword: NEW,
    confirmPassword: fields.newPassword ?? NEW,
    ...fields,
  });

// spec: 8.35
test("says so, goes to the settings, and ends the other sessions only", async () => {
  const { userId, cookie } = await settings.player();
  const phone = await signIn(settings.app, userId);
  const changed = await change(cookie, {});
  expect([changed.status, changed.to]).toEqual([302, "/settings"]);
  expect((await settings.toast(changed.headers))?.title).toBe("Password updated successfully");
  const renamed = changed.headers.getSetCookie().find((line) => line.includes("_session="));
  const [next = ""] = renamed?.split(";") ?? [];
  expect((await settings.open(settingsPage, "", next)).status).toBe(200);
  for (const ended of [cookie, phone]) {
    expect((await settings.open(settingsPage, "", ended)).status).toBe(302);
  }
});

describe("fails", () => {
  const RULE =
    "Password must contain at least one uppercase letter, one lowercase letter and one number";
  // spec: 5.15, 5.16, 8.33, 9.12
  test.each<[Record<string, string>, Record<string, string>]>([
    [{ currentPassword: "" }, { currentPassword: "Current password is required" }],
    [{ confirmPassword: "Another2Passwort" }, { confirmPassword: "New passwords do not match" }],
    [{ newPassword: "a", confirmPassword: "b" }, { confirmPassword: "New passwords do not match" }],
    [{ newPassword: "" }, { newPassword: "Password must be at least 6 characters long" }],
    [{ newPassword: "Ab3de" }, { newPassword: "Password must be at least 6 characters long" }],
    [{ newPassword: "Ab3def" }, { newPassword: "Password must be at least 8 characters" }],
    [{ newPassword: "abcdefgh" }, { newPassword: RULE }],
    [{ newPassword: `Ab3${"x".repeat(126)}` }, { newPassword: "Password is too long" }],
    [{ currentPassword: "Wrong1234" }, { currentPassword: "Current password is wrong" }],
    [{ currentPassword: "x".repeat(10_000) }, { currentPassword: "Current password is wrong" }],
  ])("%#", async (fields, errors) => {
    const { cookie } = await settings.player();
    const { status, result } = await change(cookie, fields);
    expect([status, result?.fieldErrors]).toEqual([422, errors]);
    expect(JSON.stringify(result)).not.toContain(PASSWORD);
  });

  test("of a visitor", async () => {
    expect(await change("", {})).toMatchObject({ status: 302, to: "/" });
  });

  // spec: 8.33
  test("after many guesses, with the seconds to wait", async () => {
    const { cookie } = await settings.player();
    for (let n = 0; n < 5; n += 1) await change(cookie, { currentPassword: "Wrong1234" });
    const { status, result, headers } = await change(cookie, {});
    expect(status).toBe(429);
    expect(result?.formError).toMatch(/^Too many attempts\. Try again in \d seconds?\.$/);
    expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0);
  });
});

async function changeWhere(error: Error) {
  const { cookie } = await settings.player();
  const hashPassword = () => Promise.reject(error);
  const broken = { ...settings.app, accounts: { ...settings.app.accounts, hashPassword } };
  const body = { currentPassword: PASSWORD, newPassword: NEW, confirmPassword: NEW };
  const wish = { path: "/settings/change-password", cookie, body };
  const { status, data } = await visit(broken, action, wish);
  return [status, data];
}

// spec: 8.34
test("what breaks on our side shows", async () => {
  const failed = [500, { title: "Failed to update password", formError: TRY_AGAIN }];
  expect(await changeWhere(new Error("no"))).toEqual(failed);
});

test("a password change that waits too long in the queue should be tried again", async () => {
  const busy = [503, { title: "Failed to update password", formError: TOO_MANY_SIGN_INS }];
  expect(await changeWhere(new BusyError("waited too long"))).toEqual(busy);
});
