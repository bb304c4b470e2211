import { expect, test } from "vitest";
import { changesOf } from "./entry-view.ts";

test.each([
  ["nothing", {}, []],
  [
    "only what differs",
    { before: { startTime: "18:00", title: "A" }, after: { startTime: "19:00", title: "A" } },
    [{ name: "start time", before: "18:00", after: "19:00" }],
  ],
  [
    "what is new",
    { before: null, after: { is_active: true, tags: ["a", "b"], notes: "" } },
    [
      { name: "is active", before: null, after: "yes" },
      { name: "tags", before: null, after: "a, b" },
      { name: "notes", before: null, after: null },
    ],
  ],
  ["what is gone", { before: { n: 0 } }, [{ name: "n", before: "0", after: null }]],
  ["plain values", { before: 1, after: 2 }, [{ name: "value", before: "1", after: "2" }]],
  [
    "other facts",
    { amountCents: 500, reason: "Sorry", place: { x: 1 } },
    [
      { name: "amount cents", before: null, after: "500" },
      { name: "reason", before: null, after: "Sorry" },
      { name: "place", before: null, after: '{"x":1}' },
    ],
  ],
  [
    "of long texts the lines that differ",
    { before: { text: "a\nb\nc\nd" }, after: { text: "a\nB\nnew\nc\nd" } },
    [{ name: "text", before: "b", after: "B\nnew" }],
  ],
  [
    "lines that were added",
    { before: { text: "a\na" }, after: { text: "a\na\na" } },
    [{ name: "text", before: null, after: "a" }],
  ],
])("%s", (_, details, changes) => {
  expect(changesOf(details)).toEqual(changes);
});
