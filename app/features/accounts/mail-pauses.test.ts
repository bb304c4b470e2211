import { expect, test } from "vitest";
import { pauseBeforeMail } from "./rules.ts";

test.each([
  [0, 0, 0],
  [2, 10, 0],
  [3, 0, 15],
  [4, 9, 30],
  [9, 9, 600],
  [50, 9, 600],
  [3, 10, null],
])("%i mails of the last hour, %i waiting: %s seconds", (recent, waiting, seconds) => {
  expect(pauseBeforeMail({ recent, waiting })).toBe(seconds);
});
