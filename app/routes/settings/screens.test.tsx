import { expect, test } from "vitest";
import { version } from "../../../package.json";
import { buttonsOf, headingsOf, linksOf, renderPage, textOf } from "#test/screen.tsx";
import Settings from "./index.tsx";

const html = renderPage(Settings, { loaderData: { version } });

/** The links of the group with that heading. */
function group(title: string): string[] {
  const sections = [...html.matchAll(/<section\b.*?<\/section>/gs)].map(([section]) => section);
  return linksOf(sections.find((section) => headingsOf(section, 2)[0] === title) ?? "");
}

// spec: 2.26, 2.125, 2.126, 2.127
test("the groups lead where they say", () => {
  expect(headingsOf(html, 2).slice(0, 3)).toEqual(["Account", "Support", "About us"]);
  expect(group("Account")).toEqual([
    "Change Password → /settings/change-password",
    "Your devices → /settings/sessions",
    "Calendar → /settings/calendar",
    "Blocked players → /settings/blocked",
  ]);
  expect(group("Support")).toEqual([
    "Contact support → /settings/contact-support",
    "Onboarding → /settings/onboarding",
    "Leave a Review → /settings/leave-review",
  ]);
  expect(group("About us").slice(0, 2)).toEqual([
    "Terms of Use → /terms",
    "Data Policy → /privacy",
  ]);
  expect(group("Notifications")).toEqual(["Emails and push → /settings/notifications"]);
});

// spec: 1.23, 2.128
test("below them are Logout and the version", () => {
  expect(buttonsOf(html)).toEqual(["Logout"]);
  expect(html).toMatch(/<form(?=[^>]* method="post")[^>]* action="\/sign-out"/);
  expect(textOf(html)).toContain("|v1.4.26|");
});
