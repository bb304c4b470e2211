import type { Page } from "@playwright/test";
import type { Connection } from "#app/platform/connect.server.ts";
import { findGames } from "./games.ts";
import { MARK } from "./translator.ts";

/** The addresses of the router's pages, by who sees them, with ids of the demo data. */
export async function pathsOf({ db }: Connection) {
  const one = (table: "venues" | "partners" | "credit_packs" | "support_messages") =>
    db.selectFrom(table).select("id").orderBy("id").executeTakeFirst();
  const { joined, open } = await findGames(db);
  const venue = await one("venues");
  const { user_id: playerId } = await db
    .selectFrom("profiles")
    .select("user_id")
    .where("email", "=", "player@uni.example")
    .executeTakeFirstOrThrow();
  const settings = ["/change-password", "/two-factor", "/sessions", "/blocked", "/calendar"];
  settings.push("", "/notifications", "/contact-support", "/leave-review", "/onboarding");
  settings.push("/withdraw", "/delete-account");
  const game = ["", "/edit", "/teams", "/cancel", "/print"].map((of) => `games/${joined}${of}`);
  const tabs = ["partners", "partners/new", "games", "games/new", "legal", "legal/terms", "venues"];
  tabs.push("venues/new", "players", `players/${playerId}`, "packs", "packs/new", "payments");
  tabs.push(
    "players/announcements",
    "players/announcements/new",
    "inbox",
    "log",
    "legal/terms/versions/1",
    "nowhere",
    ...game,
  );
  for (const below of ["", "/photos", "/cancel-games"]) tabs.push(`venues/${venue?.id}${below}`);
  tabs.push(`partners/${(await one("partners"))?.id}`, `packs/${(await one("credit_packs"))?.id}`);
  return {
    visitor: [
      ...["/venues", `/venues/${venue?.id}`, `/events/${open}`, "/bookings", "/terms"],
      ...["/privacy", "/accessibility", "/checkout", "/auth?tab=sign-up", "/auth", "/auth/forgot"],
      ...["/auth/reset?token=x", "/auth/confirm?token=x", "/card/none", "/nowhere"],
      ...["/demo/outbox", "/demo/checkout/monthly_8", "/unsubscribe/none", "/sign-out"],
    ],
    player: [
      ...["/events", `/events/${open}`, `/events/${joined}`, `/events/${joined}/joined`],
      "/bookings",
      ...["/wallet", "/wallet/paid?session_id=x", "/profile", "/profile/player-card"],
      ...[`/profile/${playerId}`, ...settings.map((below) => `/settings${below}`)],
    ],
    admin: ["/admin", ...tabs.map((tab) => `/admin/${tab}`)],
  };
}

/** Navigates like the browser's own links. */
export async function goTo(page: Page, path: string) {
  await page.evaluate(async (to) => {
    type Routed = { __reactRouterDataRouter: { navigate(to: string): Promise<void> } };
    await (window as unknown as Routed).__reactRouterDataRouter.navigate(to);
  }, path);
}

/** What the page shows. */
export async function textOf(page: Page): Promise<string> {
  const text = await page.locator("main").innerText();
  // Spaces have a test of their own (translated.spec.ts): a translator drops those of a typed line.
  return text.replaceAll(MARK, "").replaceAll(/\s+/g, "");
}
