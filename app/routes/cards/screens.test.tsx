import { expect, test } from "vitest";
import { buttonsOf, renderPage, textOf } from "#test/screen.tsx";
import { toCardView } from "#app/features/players/card-view.ts";
import OwnCard from "./own.tsx";

// spec: 2.120, 2.121, 2.122
test("a card shows picture, flag, name and totals, and can be shared", () => {
  const card = toCardView({
    ...{ firstName: "Ann", lastName: "Lee", gamesPlayed: 7, position: "MID" },
    ...{ wins: null, goals: null, thisMonth: 3, weeksInARow: 2 },
    ...{ nationality: "Finland", nationalityCode: "FI" },
    profilePictureUrl: "/files/avatars/a-512.webp",
  });
  const html = renderPage(OwnCard, { loaderData: { card, link: null } });
  expect(html).toMatch(/<img src="\/files\/avatars\/a-512\.webp"/);
  expect(html).toMatch(/<img src="\/flags\/FI\.svg" alt="Finland"/);
  expect(textOf(html)).toMatch(/\|Ann\| \|Lee\|/);
  const totals = [...html.matchAll(/<dt[^>]*>([^<]*)<\/dt><dd[^>]*>([^<]*)<\/dd>/g)];
  expect(totals.map(([, label, value]) => [label, value])).toEqual([
    ["Total games", "7"],
    ["Total wins", "-"],
    ["Total goals", "-"],
  ]);
  expect(textOf(html)).toContain("|3 games this month · 2 weeks in a row|");
  expect(buttonsOf(html)).toEqual(["Share"]);
});
