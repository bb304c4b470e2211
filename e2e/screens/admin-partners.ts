import type { Page } from "@playwright/test";
import { press, pressInVain } from "./screen.ts";
import type { Screen } from "./scenario.ts";

const PARTNERS = "/admin/partners";
const LEGAL = "/admin/legal";
const partner = (search = "") => ({
  path: (scenario: { partner: string }) => `${PARTNERS}/${scenario.partner}${search}`,
});

/** The partners and the legal pages in admin. */
export const PARTNER_SCREENS: Screen[] = [
  { name: "partners", as: "admin", path: PARTNERS },
  {
    name: "partners-switched",
    as: "admin",
    path: PARTNERS,
    act: turnTwice,
    toast: "Partner updated successfully",
  },
  { name: "partner-new", as: "admin", path: `${PARTNERS}/new` },
  {
    name: "partner-new-errors",
    as: "admin",
    path: `${PARTNERS}/new`,
    act: (page) => pressInVain(page, "Add partner"),
  },
  { name: "partner-edit", as: "admin", ...partner() },
  { name: "partner-edit-logo-rejected", as: "admin", ...partner(), act: uploadText },
  { name: "partner-edit-delete", as: "admin", ...partner("?delete"), isCropped: true },
  { name: "legal-pages", as: "admin", path: LEGAL },
  { name: "legal-edit", as: "admin", path: `${LEGAL}/privacy` },
  { name: "legal-edit-leave", as: "admin", path: `${LEGAL}/privacy`, act: leave, isCropped: true },
  { name: "legal-edit-draft", as: "admin", path: `${LEGAL}/privacy`, act: comeBack },
  { name: "legal-edit-preview", as: "admin", path: `${LEGAL}/privacy`, act: preview },
  {
    name: "legal-edit-warning",
    as: "admin",
    path: `${LEGAL}/terms`,
    act: previewBareTerms,
  },
  {
    name: "legal-edit-errors",
    as: "admin",
    path: `${LEGAL}/terms`,
    act: async (page) => {
      await page.getByLabel("Content *").fill("");
      await pressInVain(page, "Save");
    },
  },
  { name: "legal-edit-coming", as: "admin", path: `${LEGAL}/terms` },
  {
    name: "announcement-terms",
    as: "admin",
    path: "/admin/players/announcements/new?legal=terms",
  },
  { name: "legal-version", as: "admin", path: `${LEGAL}/terms/versions/1` },
];

async function turnTwice(page: Page) {
  const first = page.getByRole("switch").first();
  await first.click();
  await page.getByRole("switch", { checked: false }).first().waitFor();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await first.click();
}

async function uploadText(page: Page) {
  const file = { name: "logo.png", mimeType: "image/png", buffer: Buffer.from("no picture") };
  await page.getByLabel("Choose a logo").setInputFiles(file);
  await pressInVain(page, "Upload logo");
}

async function leave(page: Page) {
  await page.getByLabel("Title *").fill("Privacy, in plain words");
  await page.getByRole("link", { name: "Legal Pages" }).last().click();
  await page.getByRole("dialog", { name: "Leave without saving?" }).waitFor();
}

async function comeBack(page: Page) {
  await leave(page);
  await page.getByRole("button", { name: "Leave" }).click();
  await page
    .getByRole("link", { name: /Privacy/ })
    .first()
    .click();
  await page.getByText(/^Draft from/).waitFor();
}

async function preview(page: Page) {
  await press(page, "Preview");
  await page.getByRole("group", { name: "Preview" }).waitFor();
}

async function previewBareTerms(page: Page) {
  await page.getByLabel("Content *").fill("Be kind.\n\nPlay fair.");
  await preview(page);
}
