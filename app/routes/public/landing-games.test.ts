import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aVenue, NOW } from "#test/fixtures.ts";
import { headingsOf, linksOf, textOf } from "#test/screen.tsx";
import { openSite } from "#test/whole-site.ts";
import { CANCELLATION_POLICY } from "#app/features/seats/rules.ts";
import { log } from "#app/platform/log.server.ts";
import type { App } from "#app/routes/context.server.ts";

const database = useDatabase();
let app: App;
beforeAll(() => {
  app = testApp(database, () => NOW);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await app.db.deleteFrom("games").execute();
});

const open = async (path = "/", as = app) => (await (await openSite(as))(path)).text();
const at = async (name: string, wish: Parameters<typeof aGame>[1]) =>
  aGame(app.db, { venue_id: await aVenue(app.db, { name, city: "Vantaa" }), ...wish });
const cardsOf = (html: string) => headingsOf(html.split('id="beyond"')[0]!, 3);
const descriptionOf = (html: string) => /name="description" content="([^"]*)"/.exec(html)?.[1];

describe("the next games", () => {
  test("are the first three to come that are published and have spots", async () => {
    for (const [name, hours] of [
      ["Fourth", 96],
      ["Third", 72],
      ["First", 1],
      ["Second", 48],
    ] as const) {
      await at(name, { startsIn: hours });
    }
    await at("Started", { startsIn: -0.5 });
    await at("Draft", { startsIn: 2, status: "Draft" });
    await at("Cancelled", { startsIn: 3, status: "Cancelled" });
    const full = await at("Full", { startsIn: 4, spots: 1 });
    await database.pool.query("update games set seats_taken = 1 where id = $1", [full]);
    expect(cardsOf(await open())).toEqual(["First Vantaa", "Second Vantaa", "Third Vantaa"]);
  });

  test("say when, where, how many spots and what they cost, and lead to their pages", async () => {
    const id = await at("Tikkurila Arena", { startsIn: 48, spots: 3 });
    const html = await open();
    expect(linksOf(html)).toContain(
      `12:00 – 13:30 Tikkurila Arena Vantaa Indoor · 5v5 10 credits 3 spots left → /events/${id}`,
    );
    expect(textOf(html)).toContain("|MONDAY|Nov 23|");
    expect(textOf(html)).toContain("A game costs 10 credits (10.00\u00a0€).");
    await at("Töölö Cage", { startsIn: 6 });
    expect(textOf(await open())).toMatch(/\|SATURDAY\|Today\|.*\|Töölö Cage\|/);
  });

  test("name the next one that is free for newcomers, even behind the first three", async () => {
    for (const hours of [2, 4, 6]) await at("Campus Hall", { startsIn: hours });
    expect(await open()).not.toContain("Free if it's your first session");
    const id = await at("Kumpula Bubble", { startsIn: 54, is_first_session_free: true });
    const html = await open();
    const line = "Free if it's your first session: Mon 18:00, Kumpula Bubble";
    expect(linksOf(html)).toContain(`${line} → /events/${id}`);
    expect(cardsOf(html)).toEqual(Array(3).fill("Campus Hall Vantaa"));
  });

  test("are left out where there are none", async () => {
    const html = await open();
    expect(html).not.toContain("Next games");
    expect(html).toContain("Join Your Campus Today");
  });

  test("are left out where they cannot be read, and the log says why", async () => {
    await at("Campus Hall", { startsIn: 2 });
    const logged = vi.spyOn(log, "error").mockImplementation(() => {});
    const html = await open("/", { ...app, db: app.db.withSchema("nowhere") });
    expect(html).not.toContain("Next games");
    expect(headingsOf(html, 1)).toEqual(["Play on campus. The pitch is booked."]);
    expect(html).toContain("Join Your Campus Today");
    expect(logged).toHaveBeenCalledWith({ err: expect.anything() }, "loading the next games");
  });
});

describe("what the page promises", () => {
  test.each([
    ["tonight", 5],
    ["today", 4],
    ["this week", 24],
    // From Saturday noon to the end of Sunday.
    ["this week", 35],
    ["on campus", 36],
  ])("is to play %s where the next game is in %i hours", async (when, hours) => {
    await at("Campus Hall", { startsIn: hours });
    const html = await open();
    expect(headingsOf(html, 1)).toEqual([`Play ${when}. The pitch is booked.`]);
    expect(descriptionOf(html)).toMatch(new RegExp(`and play ${when}\\.$`));
  });

  test("is a game tonight only while one has spots", async () => {
    const id = await at("Campus Hall", { startsIn: 6, spots: 1 });
    expect(headingsOf(await open(), 1)).toEqual(["Play tonight. The pitch is booked."]);
    await database.pool.query("update games set seats_taken = 1 where id = $1", [id]);
    expect(headingsOf(await open(), 1)).toEqual(["Play on campus. The pitch is booked."]);
  });

  test("is what a group chat cannot give: a spot, a price and the refund rule", async () => {
    const text = textOf(await open());
    expect(text).toContain("|What a group chat can't give you|");
    expect(text).toContain("10 credits (10.00\u00a0€) for every game");
    expect(text).toContain(`|${CANCELLATION_POLICY.join(" ")}|`);
  });
});

test.each(["/", "/terms", "/privacy", "/accessibility"])(
  "%s leads from its content to the contact, the legal pages and accessibility",
  async (path) => {
    const [, main = ""] = (await open(path)).split("<main");
    const links = linksOf(main.split("<footer")[0]!);
    for (const page of ["Terms → /terms", "Privacy → /privacy", "Accessibility → /accessibility"]) {
      expect(links).toContain(page);
    }
    expect(links).toContain(`Contact → mailto:${app.env.contactEmail}`);
  },
);
