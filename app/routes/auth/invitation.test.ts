import { afterEach, describe, expect, test, vi } from "vitest";
import { aGame } from "#test/fixtures.ts";
import { aPhone, onTo, useOnTheWay } from "#test/on-the-way.ts";
import { textOf } from "#test/screen.tsx";
import { openSite } from "#test/whole-site.ts";
import { log } from "#app/platform/log.server.ts";

const scenario = useOnTheWay();
afterEach(() => void vi.restoreAllMocks());

const openTab = (html: string) =>
  /id="([\w-]+)-tab" role="tab" aria-selected="true"/.exec(html)?.[1];
const toJoin = (html: string) => /\|(Sign up to join [^|]*)\|/.exec(textOf(html))?.[1];
const open = (path: string) => aPhone(scenario).read(path);

describe("a visitor on the way to a game", () => {
  test("finds the tab to sign up first, and both name the game", async () => {
    const html = await open(onTo(scenario.game));
    expect(openTab(html)).toBe("sign-up");
    const text = textOf(html);
    expect(text).toContain(
      "|Sign up to join Tikkurila Arena, Mon 12:00 · 10 credits (10.00\u00a0€) · 3 spots left|",
    );
    expect(text).toContain(
      "|Sign in to join Tikkurila Arena, Mon 12:00 · 10 credits (10.00\u00a0€) · 3 spots left|",
    );
  });

  test("finds the tab to sign in first where an account was used before", async () => {
    const known = aPhone(scenario);
    await known.signUp("/auth");
    await known.confirm();
    await known.post("/sign-out", {});
    expect(openTab(await known.read(onTo(scenario.game)))).toBe("sign-in");
    expect(openTab(await known.read(`${onTo(scenario.game)}&tab=sign-up`))).toBe("sign-up");
  });

  test("from an email finds the tab to sign in first, which says nothing of spots", async () => {
    const html = await open(`${onTo(scenario.game)}&from=email`);
    expect(openTab(html)).toBe("sign-in");
    expect(textOf(html)).toContain("|Sign in to open Tikkurila Arena, Mon 12:00|");
    expect(html).toContain("from=email");
  });

  test("from a chat's link reads which chat it opens, and that only to sign in", async () => {
    const html = await open(onTo(`${scenario.game}/chat`));
    expect(openTab(html)).toBe("sign-in");
    expect(textOf(html)).toContain("|Sign in to open the chat of Tikkurila Arena, Mon 12:00|");
    expect(textOf(html)).not.toContain("to join");
    expect(textOf(await open(onTo(`/events/${crypto.randomUUID()}/chat`)))).not.toContain(
      "chat of",
    );
  });

  test("finds the tab that the address names", async () => {
    expect(openTab(await open(`${onTo(scenario.game)}&tab=sign-in`))).toBe("sign-in");
    expect(openTab(await open(`${onTo(scenario.game)}&tab=else`))).toBe("sign-up");
  });
});

test.each([
  "/auth",
  onTo("/bookings"),
  onTo("/events/none"),
  onTo(`/events/${crypto.randomUUID()}`),
])("%s names no game and begins with signing in", async (path) => {
  const html = await open(path);
  expect(openTab(html)).toBe("sign-in");
  expect(html).not.toContain("to join");
});

test.each([
  [
    "full",
    { taken: 4, spots: 4 },
    "Sign up to join Campus Hall, Mon 12:00 · 10 credits (10.00\u00a0€) · full",
  ],
  ["started", { startsIn: -1 }, "Sign up to join Campus Hall, Sat 11:00 · already started"],
  [
    "in a week",
    { startsIn: 168 },
    "Sign up to join Campus Hall, Sat Nov 28, 12:00 · 10 credits (10.00\u00a0€) · 10 spots left",
  ],
  ["over", { startsIn: -2 }, undefined],
  ["a draft", { status: "Draft" as const }, undefined],
  ["cancelled", { status: "Cancelled" as const }, undefined],
])("a game that is %s: %j says %j", async (_, wish, expected) => {
  const { taken, ...columns } = { taken: 0, ...wish };
  const id = await aGame(scenario.app.db, columns);
  await scenario.database.pool.query("update games set seats_taken = $1 where id = $2", [
    taken,
    id,
  ]);
  expect(toJoin(await open(onTo(`/events/${id}`)))).toBe(expected);
});

test("a game that cannot be read is left out, and the log says why", async () => {
  const logged = vi.spyOn(log, "error").mockImplementation(() => {});
  const broken = await openSite({ ...scenario.app, db: scenario.app.db.withSchema("nowhere") });
  const response = await broken(onTo(scenario.game));
  expect(response.status).toBe(200);
  expect(await response.text()).not.toContain("to join");
  expect(logged).toHaveBeenCalledWith(expect.anything(), "loading the game of an invitation");
});
