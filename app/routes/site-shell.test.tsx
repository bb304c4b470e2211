import { describe, expect, test } from "vitest";
import { linksOf, renderPage, textOf } from "#test/screen.tsx";
import { type NavViewer, SiteShell } from "./site-shell.tsx";

const player = {
  ...{ initials: "AL", isAdmin: false, credits: "10 credits", picture: null },
  unread: null,
  toDo: null,
};
const render = (viewer: NavViewer | null) => renderPage(SiteShell, { viewer });

/** The links of both navigations: the one on top, and the bar at the bottom of phones. */
function navigations(html: string, read = linksOf): string[][] {
  return [...html.matchAll(/<nav\b[^>]*>.*?<\/nav>/gs)].map(([nav]) => read(nav));
}

function litEntries(nav: string): string[] {
  const links = nav.matchAll(/<a\b[^>]*aria-current="page"[^>]*>(.*?)<\/a>/gs);
  return [...links].map(([, inner = ""]) => textOf(inner).replaceAll("|", "").trim());
}

const ENTRIES = [
  "Games → /events",
  "My Games → /bookings",
  "Venues → /venues",
  "Profile → /profile",
];

describe("the navigation", () => {
  // spec: 2.5, 2.6, 2.8
  test("a player has four entries on top, and the same at the bottom of a phone", () => {
    expect(navigations(render(player))).toEqual([ENTRIES, ENTRIES]);
  });

  // spec: 2.9, 2.10, 6.9
  test("an admin has one more on top, and none more at the bottom", () => {
    const [top, bottom] = navigations(render({ ...player, isAdmin: true }));
    expect(top).toEqual([...ENTRIES, "Admin → /admin"]);
    expect(bottom).toEqual(ENTRIES);
  });

  test("what is unread is said at My Games, in both", () => {
    const unread = { count: "9+", text: "9+ unread messages" };
    const html = render({ ...player, unread });
    for (const nav of navigations(html)) expect(nav).toContain("My Games 9+ → /bookings");
    expect(html.match(/aria-description="9\+ unread messages"/g)).toHaveLength(2);
  });

  const ID = "00000000-0000-4000-8000-000000000000";
  test.each([
    ["/events", "Games"],
    ["/bookings", "My Games"],
    [`/venues/${ID}`, "Venues"],
    ["/profile", "Profile"],
    ["/profile/player-card", "Profile"],
    ["/wallet", "Profile"],
    ["/wallet/paid", "Profile"],
    ["/settings", "Profile"],
    ["/settings/contact-support", "Profile"],
    ["/admin/games/new", "Admin"],
    [`/profile/${ID}`, undefined],
    ["/terms", undefined],
  ])("at %s the entry that is lit is %s", (path, entry) => {
    const html = renderPage(SiteShell, { viewer: { ...player, isAdmin: true } }, path);
    const [top, bottom] = navigations(html, litEntries);
    expect(top).toEqual(entry ? [entry] : []);
    expect(bottom).toEqual(entry && entry !== "Admin" ? [entry] : []);
  });

  test("a game and its chat have none at the bottom, and a game has a way back in the header", () => {
    const viewer = player;
    for (const [below, back] of [
      ["", ["Back → /events"]],
      ["/chat", []],
    ] as const) {
      const html = renderPage(SiteShell, { viewer }, `/events/${ID}${below}`);
      expect(navigations(html)).toEqual([ENTRIES]);
      const [header = ""] = html.split("</header>");
      expect(linksOf(header).filter((link) => link.startsWith("Back"))).toEqual(back);
    }
    const game = renderPage(SiteShell, { viewer }, `/events/${ID}`);
    expect(navigations(game, litEntries)).toEqual([["Games"]]);
  });

  // spec: 2.7
  test("a visitor has none, but a Sign In button", () => {
    const html = render(null);
    expect(navigations(html)).toEqual([]);
    expect(linksOf(html)).toContain("Sign In → /auth");
    expect(linksOf(render(player))).not.toContain("Sign In → /auth");
  });

  test.each([
    ["/venues", true],
    ["/bookings", false],
  ])("at %s the visitor's button is the main action: %s", (path, isMain) => {
    const [header] = renderPage(SiteShell, { viewer: null }, path).split("</header>");
    const [, button] = /<a class="([^"]*)"[^>]*>Sign In</.exec(header!) ?? [];
    expect(button?.split(" ").includes("bg-accent")).toBe(isMain);
  });

  test("a visitor of a game comes back to it from that button", () => {
    const html = renderPage(SiteShell, { viewer: null }, "/events/5");
    expect(linksOf(html)).toContain("Sign In → /auth?redirectTo=%2Fevents%2F5&tab=sign-in");
  });
});

// spec: 1.19, 1.20, 1.21, 2.5
test("the footer names the company, 2025, the email address, Terms and Privacy", () => {
  for (const viewer of [null, player]) {
    const [, footer = ""] = render(viewer).split("<footer");
    expect(textOf(`<footer${footer}`)).toContain("|© 2025 Kickabout Oy|");
    expect(linksOf(footer).slice(0, 3)).toEqual([
      "hello@kickabout.test → mailto:hello@kickabout.test",
      "Terms → /terms",
      "Privacy → /privacy",
    ]);
  }
});
