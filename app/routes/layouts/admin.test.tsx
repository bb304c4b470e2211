import { expect, test } from "vitest";
import { linksOf, renderPage } from "#test/screen.tsx";
import Admin from "./admin.tsx";

// spec: 2.129
test("the specified tabs come first, each with its address, then those behind them", () => {
  expect(linksOf(renderPage(Admin, { loaderData: { open: "3" } }))).toEqual([
    "Overview → /admin",
    "Partners → /admin/partners",
    "Games → /admin/games",
    "Legal Pages → /admin/legal",
    "Venues → /admin/venues",
    "Players → /admin/players",
    "Packs → /admin/packs",
    "Payments → /admin/payments",
    "Inbox 3 open → /admin/inbox",
    "Log → /admin/log",
  ]);
});
