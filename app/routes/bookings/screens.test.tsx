import { describe, expect, test } from "vitest";
import { buttonsOf, headingsOf, linksOf, renderPage, textOf } from "#test/screen.tsx";
import { PaymentBadge } from "#app/features/bookings/payment-badge.tsx";
import type { PaymentStatus } from "#app/platform/schema.ts";
import MyGames from "./list.tsx";

const ticket = {
  ...{ id: "b1", gameId: "g1", paymentStatus: "Paid", venueName: "Töölö Cage" },
  ...{ city: "Helsinki", place: "Helsinki", mapsUrl: null, photoUrl: null },
  ...{ date: "2026-11-23", weekday: "MONDAY", monthDay: "Nov 23", monthDayYear: "Nov 23, 2026" },
  ...{ start: "12:00", end: "13:30", price: "10 credits", countdown: "in 2 days" },
  ...{
    isCalledOff: false,
    showsRefundPending: false,
    terms: "Cancel by Sun 12:00 to get 9.01 credits back",
  },
  ...{ attendance: null, notes: "", endsAt: "2026-11-23T11:30:00.000Z" },
  openSpot: null,
  quote: "You'll get 9.01 credits back." as string | null,
};
const NO_PAGES = { first: null, next: null };
const render = (next: object[], firstName = "Ada") => {
  const viewer = { firstName, credits: "90" };
  return renderPage(MyGames, {
    loaderData: { viewer, next, entries: [], earlier: [], pages: NO_PAGES },
  });
};

// spec: 2.104
test("signed out it asks to sign in", () => {
  const html = renderPage(MyGames, { loaderData: { viewer: null } });
  expect(textOf(html)).toContain("|Please sign in to view your bookings|");
  expect(linksOf(html)).toEqual(["Sign In → /auth?redirectTo=%2Fbookings"]);
});

describe("signed in", () => {
  // spec: 2.105, 2.106
  test("it greets, says the balance and sells credits", () => {
    const html = render([]);
    expect(headingsOf(html, 1)).toEqual(["Hi Ada"]);
    expect(headingsOf(render([], ""), 1)).toEqual(["Hi there"]);
    expect(textOf(html)).toMatch(/\|90\| \|credits\|/);
    expect(buttonsOf(html)).toEqual(["Buy credits"]);
  });

  // spec: 2.109
  test("without a booking there is the heading, and a link to find a game", () => {
    const html = render([]);
    expect(headingsOf(html, 2)).toEqual(["NEXT GAMES"]);
    expect(textOf(html)).toContain("|You are not attending any game yet.|");
    expect(linksOf(html)).toEqual(["FIND A GAME → /"]);
  });

  // spec: 2.107, 2.108
  test("a booking has its payment status and can be cancelled where that is allowed", () => {
    const html = render([ticket]);
    expect(headingsOf(html, 2)).toContain("NEXT GAMES");
    expect(textOf(html)).toContain("|Paid|");
    expect(linksOf(html)[0]).toBe("Töölö Cage → /events/g1");
    expect(buttonsOf(html)).toContain("Cancel Töölö Cage, MONDAY");
    const fixed = buttonsOf(render([{ ...ticket, quote: null }]));
    expect(fixed).toEqual(["Buy credits"]);
  });

  test("each booking leads to directions and to a calendar, by a name of its own", () => {
    const mapsUrl = "https://maps.example/cage";
    expect(linksOf(render([{ ...ticket, mapsUrl }])).slice(1)).toEqual([
      `Directions Töölö Cage, MONDAY → ${mapsUrl}`,
      "Add to calendar Töölö Cage, MONDAY → /events/g1.ics",
    ]);
  });

  test("the organiser's notes are shown where there are any", () => {
    expect(textOf(render([ticket]))).not.toContain("From the organiser");
    const html = render([{ ...ticket, notes: "Gate code 1234\n\nRing twice" }]);
    expect(textOf(html)).toMatch(/\|From the organiser\|Gate code 1234\s+Ring twice\|/);
  });
});

test("earlier games lead on and back, and say where they end", () => {
  const viewer = { firstName: "Ada", credits: "90" };
  const page = (earlier: object[], pages: object) =>
    renderPage(MyGames, { loaderData: { viewer, next: [], entries: [], earlier, pages } });
  const [first, next] = ["/bookings#earlier-games", "/bookings?after=b1#earlier-games"];
  expect(linksOf(page([ticket], { first, next })).slice(-2)).toEqual([
    `Back to the first → ${first}`,
    `Next → ${next}`,
  ]);
  expect(textOf(page([], { first, next: null }))).toContain("|There is nothing older.|");
  expect(headingsOf(page([], NO_PAGES), 2)).toEqual(["NEXT GAMES"]);
});

test.each([
  ["CheckedIn", "Played"],
  ["NoShow", "Did not play"],
  [null, "Paid"],
])("an earlier game with the attendance %s says %s alone", (attendance, words) => {
  const viewer = { firstName: "Ada", credits: "90" };
  const earlier = [{ ...ticket, attendance }];
  const loaderData = { viewer, next: [], entries: [], earlier, pages: NO_PAGES };
  const [, row = ""] = renderPage(MyGames, { loaderData }).split("<li");
  const badges = ["Played", "Did not play", "Paid"].filter((badge) =>
    textOf(row).includes(`|${badge}|`),
  );
  expect(badges).toEqual([words]);
});

// spec: 2.107, 4.24
test("each payment status has a badge of its own colour", () => {
  const statuses: PaymentStatus[] = ["Paid", "Unpaid", "Refunded", "Cancelled"];
  const badges = statuses.map((status) => renderPage(PaymentBadge, { status }));
  expect(badges.map((badge) => textOf(badge))).toEqual(statuses.map((status) => `|${status}|`));
  const colours = badges.map((badge) => /class="([^"]*)"/.exec(badge)?.[1]);
  expect(new Set(colours).size).toBe(4);
});
