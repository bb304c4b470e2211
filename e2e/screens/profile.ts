import { readFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import sharp from "sharp";
import { projectRoot } from "#app/platform/root.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { copyLink } from "./games.ts";
import { clearToast, press, pressInVain } from "./screen.ts";
import type { Screen } from "./scenario.ts";
import { BUYER } from "./payments.ts";

const own = { as: "player", path: "/profile" } as const;
const dialog = { ...own, isCropped: true };
const newcomer = { as: "newcomer", path: "/profile" } as const;
const card = { as: "newcomer", path: "/profile/player-card" } as const;

/** Profiles, their dialogs, the monthly challenge and player cards. */
export const PROFILE_SCREENS: Screen[] = [
  { name: "profile", as: BUYER, path: "/profile" },
  { name: "profile-earned", ...own },
  {
    name: "profile-claimed",
    ...newcomer,
    before: playFive,
    act: claim,
    toast: "€10 has been added",
  },
  { name: "profile-claimed-already", ...newcomer, before: playFive, act: claimTwice },
  { name: "profile-claim-failed", ...newcomer, before: playFive, act: claimInVain },
  { name: "profile-empty", as: "broke", path: "/profile" },
  { name: "profile-long-name", ...newcomer, before: takeLongName },
  { name: "profile-admin", as: "admin", path: "/profile" },
  { name: "profile-edit", ...dialog, act: openProfileDialog },
  { name: "profile-search", ...dialog, act: searchNationality },
  { name: "profile-errors", ...dialog, act: saveInvalidProfile },
  { name: "profile-updated", ...newcomer, act: updateProfile, toast: "Profile updated" },
  { name: "profile-picture", ...dialog, act: placePicture },
  { name: "profile-picture-rejected", ...dialog, act: chooseNoPicture },
  {
    name: "profile-picture-updated",
    ...newcomer,
    act: savePicture,
    toast: "Profile picture updated successfully",
  },
  {
    name: "profile-picture-removed",
    ...newcomer,
    act: removePicture,
    toast: "Profile picture removed",
  },
  { name: "profile-other", as: "player", path: ({ otherId }) => `/profile/${otherId}` },
  { name: "profile-not-found", as: "player", path: "/profile/none" },
  { name: "player-card", as: "broke", path: "/profile/player-card" },
  { name: "player-card-shared", as: "player", path: "/profile/player-card" },
  { name: "player-card-long-name", ...card, before: takeLongName },
  { name: "player-card-copied", ...card, act: copyLink, toast: "Link copied!" },
  { name: "player-card-stopped", ...card, act: stopSharing, toast: "Sharing stopped" },
];

/** Five games that the demo player has played this month; a newcomer was in them as well. */
async function playFive(db: Db, user_id: string) {
  await db
    .insertInto("bookings")
    .columns(["user_id", "game_id", "payment_status", "price_eur"])
    .expression((eb) =>
      eb
        .selectFrom("games")
        .select((row) => [
          row.val(user_id).as("user_id"),
          "games.id",
          row.val("Paid" as const).as("payment_status"),
          row.val("0").as("price_eur"),
        ])
        .where("status", "=", "Published")
        .where("ends_at", "<", new Date())
        .where((row) => row("seats_taken", "<", row.ref("max_players")))
        .orderBy("ends_at", "desc")
        .limit(5),
    )
    .execute();
}

async function takeLongName(db: Db, user_id: string) {
  const name = { first_name: "Bartholomew", last_name: "Featherstonehaugh" };
  await db.updateTable("profiles").set(name).where("user_id", "=", user_id).execute();
}

async function claim(page: Page) {
  await press(page, "Claim 10 Credits!");
}

async function claimTwice(page: Page) {
  await page.request.post("/profile", { form: { intent: "claim-reward" }, maxRedirects: 0 });
  await clearToast(page);
  await page.reload({ waitUntil: "networkidle" });
}

/** Acts in a second tab: this one does not know yet. */
async function claimInVain(page: Page) {
  await page.request.post("/profile", { form: { intent: "claim-reward" }, maxRedirects: 0 });
  await clearToast(page);
  await pressInVain(page, "Claim 10 Credits!");
}

async function openProfileDialog(page: Page) {
  await press(page, "Edit profile");
  await page.getByPlaceholder("Search countries").waitFor();
}

async function searchNationality(page: Page) {
  await openProfileDialog(page);
  await page.getByPlaceholder("Search countries").fill("swe");
  await page.getByRole("option", { name: "Sweden" }).waitFor();
}

async function saveInvalidProfile(page: Page) {
  await openProfileDialog(page);
  await page.getByLabel("First Name *").fill("R2D2");
  await press(page, "Save changes");
  await page.getByRole("dialog").getByRole("alert").waitFor();
}

async function updateProfile(page: Page) {
  await openProfileDialog(page);
  await page.getByLabel("Position").selectOption("FWD");
  await press(page, "Save changes");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
}

async function placePicture(page: Page) {
  await press(page, "Change picture");
  const photo = path.join(projectRoot, "public", "photos", "otaniemi-hall-1-1280.webp");
  const buffer = await sharp(readFileSync(photo)).jpeg().toBuffer();
  const file = { name: "me.jpg", mimeType: "image/jpeg", buffer };
  await page.getByLabel("Choose a picture").setInputFiles(file);
  await page.getByRole("slider", { name: "Zoom" }).fill("2");
}

async function chooseNoPicture(page: Page) {
  await press(page, "Change picture");
  const file = { name: "me.gif", mimeType: "image/gif", buffer: Buffer.from("GIF89a") };
  await page.getByLabel("Choose a picture").setInputFiles(file);
  await page.getByRole("dialog").getByRole("alert").waitFor();
}

async function savePicture(page: Page) {
  await placePicture(page);
  await press(page, "Save picture");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
}

async function removePicture(page: Page) {
  await savePicture(page);
  await page.reload({ waitUntil: "networkidle" });
  await press(page, "Change picture");
  await press(page, "Remove picture");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
}

async function stopSharing(page: Page) {
  await press(page, "Share");
  await press(page, "Stop sharing");
}
