import { expect, test } from "vitest";
import { checkForm } from "#test/check-form.ts";
import { venues } from "./admin-venues.server.ts";

const WHOLE = { name: "Töölö Cage", city: "Helsinki", description: "", address: "" };

test("form input is normalised", () => {
  const fields = {
    ...{ name: "  Töölö\u0000 Cage\n", city: " Kauniainen ", address: " Mannerheimintie 1 " },
    ...{
      description: " Ring the bell.\r\n\r\nThen wait.\u0000 ",
      mapsUrl: "",
      website: " http://x.fi ",
    },
    playerNotes: " The code\r\nis 4711.\u0000 ",
    ...{ photo_urls: "/x", is_hidden: "true" },
  };
  expect(checkForm(venues.input, fields)).toEqual({
    ok: true,
    input: {
      ...{ name: "Töölö Cage", city: "Kauniainen", address: "Mannerheimintie 1" },
      playerNotes: "The code\nis 4711.",
      ...{ description: "Ring the bell.\n\nThen wait.", mapsUrl: null, website: "http://x.fi" },
    },
  });
});

test.each([
  [{ name: " " }, { name: "Name is required" }],
  [{ city: "" }, { city: "City is required" }],
  [{ name: "ä".repeat(121) }, { name: "Name can be at most 120 characters" }],
  [{ city: "x".repeat(61) }, { city: "City can be at most 60 characters" }],
  [{ address: "x".repeat(201) }, { address: "Address can be at most 200 characters" }],
  [
    { description: "x".repeat(4001) },
    { description: "Description can be at most 4,000 characters" },
  ],
  [
    { playerNotes: "x".repeat(2001) },
    { playerNotes: "Notes for players can be at most 2,000 characters" },
  ],
  ...["javascript:alert(1)", "ftp://x.fi", "x", "data:text/html,x", "//x.fi"].map(
    (website): [object, object] => [
      { website },
      { website: "Website must be a web address, such as https://venue.example" },
    ],
  ),
  [
    { mapsUrl: "geo:60,24" },
    { mapsUrl: "Map link must be a web address, such as https://venue.example" },
  ],
  [
    { mapsUrl: `https://x.fi/${"x".repeat(500)}` },
    { mapsUrl: "Map link can be at most 500 characters" },
  ],
])("%j is rejected", (fields, errors) => {
  expect(checkForm(venues.input, { ...WHOLE, ...fields })).toEqual({ ok: false, errors });
});

test("lengths are counted in characters", () => {
  const fields = { ...WHOLE, name: "😀".repeat(120), city: "ä".repeat(60) };
  expect(checkForm(venues.input, fields).ok).toBe(true);
});

test("an address without https:// is completed", () => {
  const typed = { website: "x.fi/hall", mapsUrl: "Maps.example" };
  expect(venues.input.parse({ name: "Hall", city: "Espoo", ...typed })).toMatchObject({
    ...{ website: "https://x.fi/hall", mapsUrl: "https://Maps.example" },
  });
});
