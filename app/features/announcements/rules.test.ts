import { expect, test } from "vitest";
import { checkForm } from "#test/check-form.ts";
import { announcementInput } from "./input.ts";
import { allowance, peopleText } from "./rules.ts";

const idle = { perMinute: 60, lastMinute: 0, lastTick: 0, waiting: 0 };

test.each([
  ["an even part of a minute's emails at a time", idle, 5],
  ["at least one, however slow", { ...idle, perMinute: 1 }, 1],
  ["never more in a minute than it allows", { ...idle, perMinute: 1, lastMinute: 1 }, 0],
  ["the rest of the minute", { ...idle, lastMinute: 58 }, 2],
  ["nothing beside another process of the same tick", { ...idle, lastTick: 5 }, 0],
  ["less while the mail server is behind", { ...idle, waiting: 4 }, 1],
  ["nothing while it takes none", { ...idle, waiting: 50 }, 0],
  ["nothing after the rate was lowered", { ...idle, lastMinute: 400 }, 0],
])("the next emails of an announcement: %s", (_, pace, expected) => {
  expect(allowance(pace)).toBe(expected);
});

test("people are counted as they are read", () => {
  expect([1, 2, 20_000].map(peopleText)).toEqual(["1 person", "2 people", "20,000 people"]);
});

const texts = { kind: "news", subject: " New\r\ngames ", message: " Come\r\n\r\nand play " };
const read = { kind: "news", subject: "New games", message: "Come\n\nand play" };
const check = (fields: object) => checkForm(announcementInput, { ...texts, ...fields });

test("only the chosen people's fields are read", () => {
  const others = { days: "soon", venueId: "none" };
  expect(check({ audience: "everybody", ...others })).toEqual({
    ok: true,
    input: { audience: "everybody", ...read },
  });
  expect(check({ audience: "played", ...others, days: " 60 " })).toEqual({
    ok: true,
    input: { audience: "played", days: 60, ...read },
  });
});

test.each([
  [{}, { audience: "Choose who gets it" }],
  [{ audience: "friends" }, { audience: "Choose who gets it" }],
  [{ audience: "everybody", kind: "spam" }, { kind: "Choose what it is" }],
  [{ audience: "everybody", subject: " " }, { subject: "Subject is required" }],
  [{ audience: "everybody", message: "" }, { message: "Message is required" }],
  [
    { audience: "everybody", subject: "x".repeat(121) },
    { subject: "Subject is too long (max 120 characters)" },
  ],
  [
    { audience: "everybody", message: "x".repeat(5_001) },
    { message: "Message is too long (max 5000 characters)" },
  ],
  [{ audience: "played", days: "0" }, { days: "Days must be a whole number from 1 to 730" }],
  [{ audience: "venue", venueId: "" }, { venueId: "Choose a venue" }],
])("rejected: %j", (fields, errors) => {
  expect(check(fields)).toEqual({ ok: false, errors });
});
