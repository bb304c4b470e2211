import { expect, test } from "vitest";
import { headingsOf, linksOf, renderPage, textOf } from "#test/screen.tsx";
import Venues from "./list.tsx";
import Venue from "./show.tsx";

const game = {
  ...{ id: "g1", title: "Futsal", date: "2026-11-23", monthDay: "Nov 23", start: "12:00" },
  ...{ price: "10.00\u00a0€", spots: 4 },
};
const venue = {
  ...{ id: "v1", name: "Töölö Cage", city: "Helsinki", place: "Mannerheimintie 52, Helsinki" },
  ...{ description: "Small and loud.", photoUrl: null, mapsUrl: "https://maps.example/" },
  website: { url: "https://cage.example/", host: "cage.example" },
  photos: [
    ...[1, 2].map((n) => ({ src: `/p${n}.webp`, large: `/p${n}-large.webp`, alt: `Photo ${n}` })),
  ],
  games: [game],
};
const list = (venues: object[], chosen: string[] = [], emptyText = "No venues found.") =>
  renderPage(Venues, { loaderData: { cities: ["Espoo", "Helsinki"], chosen, venues, emptyText } });

// spec: 2.92, 2.96
test("the list has a heading, and cards that lead to their venues", () => {
  const html = list([venue]);
  expect(headingsOf(html, 1)).toEqual(["Venues"]);
  expect(linksOf(html)).toEqual(["Töölö Cage → /venues/v1"]);
  expect(textOf(html)).toContain("|Nov 23, 12:00|10.00\u00a0€|4 spots left|");
});

// spec: 2.97
test("a card shows three lines of the description and no more", () => {
  expect(list([venue])).toMatch(/<p class="[^"]*\bline-clamp-3\b[^"]*">Small and loud\.<\/p>/);
});

// spec: 2.98
test("where nothing is found the list says so, and where", () => {
  expect(textOf(list([]))).toContain("|No venues found.|");
  const named = list([], ["Turku"], "No venues found in Turku.");
  expect(textOf(named)).toContain("|No venues found in Turku.|");
});

// spec: 2.99, 2.101
test("the page of a venue: photos that open, where it is, and its games", () => {
  const html = renderPage(Venue, { loaderData: { venue } });
  expect(headingsOf(html, 1)).toEqual(["Töölö Cage"]);
  expect(html).toMatch(/<a href="\/p1-large\.webp" aria-label="View photo: Photo 1"/);
  expect(headingsOf(html, 2)).toEqual(["Upcoming games", "About this venue"]);
  expect(linksOf(html)).toContain("Mannerheimintie 52, Helsinki → https://maps.example/");
  expect(linksOf(html)).toContain("cage.example → https://cage.example/");
  expect(linksOf(html).find((link) => link.endsWith("/events/g1"))).toMatch(/4 spots left/);
});

// spec: 2.102, 8.40
test("a venue that is not there says so and leads back to the list", () => {
  const html = renderPage(Venue, { loaderData: { venue: null } });
  expect(textOf(html)).toContain("|Venue not found|");
  expect(linksOf(html)).toEqual(["Back to Venues → /venues"]);
});
