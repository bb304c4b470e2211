import { describe, expect, test } from "vitest";
import { toMessageView, type MessageView } from "./chat-view.server.ts";
import { addMessages, spokenNews } from "./use-live-chat.ts";

const AT = new Date("2026-11-21T10:00:00Z");

function view(number: number, more: Partial<MessageView> = {}): MessageView {
  const nobody = { userId: null, firstName: "Bo", lastName: "Berg", pictureUrl: null };
  const message = { id: `${number}`, number, kind: "Text", body: `m${number}` } as const;
  const stored = { ...message, ...nobody, createdAt: AT, pinnedAt: null, removedBy: null };
  return { ...toMessageView({ ...stored, isOrganiser: false }, AT), ...more };
}
const views = (...numbers: number[]) => numbers.map((number) => view(number));
const numbersOf = (messages: MessageView[]) => messages.map(({ number }) => number);

describe("what is shown with what came since", () => {
  test.each([
    ["the next", views(1, 2), views(3), [1, 2, 3]],
    ["the first", [], views(1, 2), [1, 2]],
    ["the same again", views(1, 2, 3), views(2, 3, 4), [1, 2, 3, 4]],
    ["an earlier one that is gone", views(4, 5), views(2), [2, 4, 5]],
    [
      "a page read again keeps what it had before",
      views(1, 2, 3),
      views(2, 3, 4, 5),
      [1, 2, 3, 4, 5],
    ],
    ["a page read again after too many", views(1, 2, 3), views(105, 106), [105, 106]],
    ["nothing", views(1), [], [1]],
  ])("%s", (_, shown, more, expected) => {
    expect(numbersOf(addMessages(shown, more))).toEqual(expected);
  });

  test("what is gone stays gone, whatever comes late", () => {
    const gone = view(2, { gone: "Deleted" });
    expect(addMessages(views(1, 2), [gone])[1]).toBe(gone);
    expect(addMessages([view(1), gone], views(2, 3))[1]).toBe(gone);
  });
});

test("few are read out by name, many by their number, a welcome as it is", () => {
  expect(spokenNews([view(1), view(2, { kind: "FirstGame" })])).toEqual(["Bo: m1", "m2"]);
  expect(spokenNews([view(1, { kind: "Announcement", subject: "Pitch 2" })])).toEqual([
    "Bo: Pitch 2 m1",
  ]);
  expect(spokenNews(views(1, 2, 3, 4))).toEqual(["4 new messages"]);
});
