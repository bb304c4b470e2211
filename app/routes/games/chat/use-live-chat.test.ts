import { describe, expect, test } from "vitest";
import { toMessageView, type MessageView } from "#app/features/chat/message-view.server.ts";
import {
  addMessages,
  createSubscription,
  isNamesake,
  announcementTexts,
  withoutKnown,
} from "./use-live-chat.ts";

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
    ["an earlier one that is gone", views(4, 5), views(2), [4, 5]],
    ["an earlier one and a new one", views(4, 5), views(2, 6), [4, 5, 6]],
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

describe("what a page has received", () => {
  test("comes one after the other, whatever it has shown of it yet", () => {
    const subscription = createSubscription(view(3));
    expect(subscription.receive(views(4))).toHaveLength(1);
    expect(subscription.receive(views(5, 6))).toHaveLength(2);
    expect(subscription.lastNumber()).toBe(6);
    expect(subscription.receive(views(4, 6))).toEqual([]);
  });

  test("is not whole where a number is missing, until the page is read again", () => {
    const subscription = createSubscription(view(3));
    expect(subscription.receive(views(5))).toBeNull();
    expect(subscription.lastNumber()).toBe(3);
    subscription.read(view(5));
    expect(subscription.receive(views(6))).toHaveLength(1);
    subscription.read(view(5));
    expect(subscription.lastNumber()).toBe(6);
  });

  test("is of the next day once", () => {
    const subscription = createSubscription(view(3));
    subscription.receive([view(4, { date: "2026-11-22" })]);
    expect(subscription.isNextDay()).toBe(true);
    subscription.receive([view(5, { date: "2026-11-22" })]);
    expect(subscription.isNextDay()).toBe(false);
    expect(createSubscription(undefined).receive(views(1))).toHaveLength(1);
  });
});

test("what is gone already, or older than what is shown, is nothing new", () => {
  const gone = view(5, { gone: "Deleted" });
  expect(numbersOf(withoutKnown([view(4), gone], [...views(2, 4), gone, view(6)]))).toEqual([4, 6]);
  expect(numbersOf(withoutKnown([], views(1)))).toEqual([1]);
});

test("somebody else of the same first name is a namesake until the page names both", () => {
  const [aino, other] = [
    { name: "Aino", authorId: "a" },
    { name: "Aino", authorId: "b" },
  ];
  const shown = [view(1, aino), view(2, { authorId: null, name: "Aino" })];
  expect(isNamesake(view(3, other), shown, {})).toBe(true);
  expect(isNamesake(view(3, other), shown, { a: "Aino V.", b: "Aino K." })).toBe(false);
  expect(isNamesake(view(3, aino), shown, {})).toBe(false);
  expect(isNamesake(view(3, { name: "Bo", authorId: "b" }), shown, {})).toBe(false);
});

test("few are read out by name, many by their number, a welcome as it is", () => {
  expect(announcementTexts([view(1), view(2, { kind: "FirstGame" })], {})).toEqual([
    "Bo: m1",
    "m2",
  ]);
  expect(announcementTexts([view(1, { kind: "Announcement", subject: "Pitch 2" })], {})).toEqual([
    "Bo: Pitch 2 m1",
  ]);
  expect(announcementTexts(views(1, 2, 3, 4), {})).toEqual(["4 new messages"]);
});
