import { expect, test } from "vitest";
import { linksOf, renderPage } from "#test/screen.tsx";
import { allAddresses } from "#test/whole-site.ts";
import Admin from "./admin.tsx";

// spec: 2.129
test("the specified tabs come first, each with its address, then those behind them", () => {
  expect(linksOf(renderPage(Admin, { loaderData: { open: "3", toDo: "2" } }))).toEqual([
    "Overview 2 to do → /admin",
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

test("every list of admin has a tab", () => {
  const paths = allAddresses().map((place) => place.path);
  const lists = paths.filter((path) => /^\/admin(\/[a-z-]+)?$/.test(path));
  const linked = linksOf(renderPage(Admin, { loaderData: { open: "3", toDo: null } }));
  expect(lists.length).toBeGreaterThan(9);
  expect(lists.filter((path) => !linked.some((link) => link.endsWith(` ${path}`)))).toEqual([]);
});
