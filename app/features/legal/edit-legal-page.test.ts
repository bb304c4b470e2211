import { beforeEach, describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { ada, ben, hoursLater, NOW } from "#test/fixtures.ts";
import {
  editLegalPage,
  findLegalPage,
  findStoredPage,
  listLegalPages,
  findLegalVersion,
  listLegalVersions,
} from "./legal-pages.server.ts";
import { legalInput } from "./input.ts";
import { missingFromLegalText } from "./rules.ts";

const database = useDatabase();
let adaId: string;
let version: number;
beforeEach(async () => {
  const { db } = database;
  adaId = await ada(db);
  await db.deleteFrom("legal_page_versions").execute();
  await db.deleteFrom("legal_pages").execute();
  const text = { content: "First", updated_at: hoursLater(-48) };
  await db
    .insertInto("legal_pages")
    .values([
      { page_type: "terms", title: "Terms", ...text },
      { page_type: "privacy", title: "Privacy", ...text },
    ])
    .execute();
  version = (await stored()).version;
});

const stored = async () => (await findStoredPage(database.db, "terms"))!;
const listed = (before: number | null = null, limit = 50) =>
  listLegalVersions(database.db, { type: "terms", before, limit });
const save = (content: string, { of = version, actor = adaId, now = NOW, title = "Terms" } = {}) =>
  editLegalPage(database.db, {
    type: "terms",
    version: of,
    input: { title, content },
    actor,
    now,
  });
const entries = () =>
  database.db
    .selectFrom("audit_log")
    .select(["action", "subject", "details"])
    .where("actor", "=", adaId)
    .execute();

// spec: 7.42
test("all legal pages are listed by type", async () => {
  const pages = await listLegalPages(database.db);
  expect(pages.map(({ type, title }) => [type, title])).toEqual([
    ["privacy", "Privacy"],
    ["terms", "Terms"],
  ]);
  expect(pages[0]).toMatchObject({ content: "First", savedAt: hoursLater(-48), savedBy: null });
});

// spec: 7.43
test("a new text is stored and the previous one archived with author and time", async () => {
  expect(await save("Second", { title: "New terms" })).toEqual({ ok: true });
  expect(await findLegalPage(database.db, "terms", NOW)).toEqual({
    ...{ title: "New terms", content: "Second", coming: null },
  });
  expect(await stored()).toMatchObject({
    version: 2,
    savedAt: NOW,
    savedBy: expect.stringMatching(/^Ada /),
  });
  const bens = await ben(database.db);
  await save("Third", { of: 2, actor: bens, now: hoursLater(1) });
  expect(await listed()).toEqual([
    { version: 2, title: "New terms", savedAt: NOW, savedBy: expect.stringMatching(/^Ada /) },
    { version: 1, title: "Terms", savedAt: hoursLater(-48), savedBy: null },
  ]);
  const first = { type: "terms", version: 1 } as const;
  expect(await findLegalVersion(database.db, first)).toMatchObject({ content: "First" });
  expect(await findLegalVersion(database.db, { ...first, version: 3 })).toBeNull();
  expect(await findLegalPage(database.db, "privacy", NOW)).toMatchObject({ content: "First" });
});

test("the audit entry names the versions, whose texts are kept", async () => {
  await save("Second");
  expect(await entries()).toEqual([
    {
      ...{ action: "legal.edit", subject: "terms" },
      details: {
        before: { version: 1, title: "Terms" },
        after: { version: 2, title: "Terms" },
      },
    },
  ]);
});

test("the second of two admins gets a conflict, and both texts are available", async () => {
  const results = await Promise.all([save("One"), save("Two")]);
  const current = await stored();
  const failed = results.filter(({ ok }) => !ok);
  expect(failed).toMatchObject([
    { reason: "changed", current: { title: "Terms", content: current.content, version: 2 } },
  ]);
  const other = current.content === "One" ? "Two" : "One";
  expect(await save(other, { of: 2 })).toEqual({ ok: true });
  expect((await listed()).map((one) => one.version)).toEqual([2, 1]);
});

test("saving the same text is no edit, whatever its version", async () => {
  await save("Second");
  expect(await save("Second")).toEqual({ ok: true });
  expect(await listed()).toHaveLength(1);
  expect(await entries()).toHaveLength(1);
});

test("a change by SQL counts as somebody else's", async () => {
  await database.db.updateTable("legal_pages").set({ content: "By SQL" }).execute();
  expect(await save("Second")).toMatchObject({ reason: "changed", current: { version: 2 } });
});

test("saving fails where no text is stored", async () => {
  await database.db.deleteFrom("legal_pages").execute();
  await expect(save("Second")).rejects.toThrow("no result");
  expect(await findStoredPage(database.db, "terms")).toBeNull();
});

test("former texts come in pages, the newest first", async () => {
  for (let of = 1; of < 6; of += 1) await save(`Text ${of}`, { of });
  const numbers = async (before: number | null) =>
    (await listed(before, 2)).map((one) => one.version);
  expect(await numbers(null)).toEqual([5, 4]);
  expect(await numbers(4)).toEqual([3, 2]);
  expect(await numbers(2)).toEqual([1]);
});

describe("the editor's input", () => {
  const read = (fields: Record<string, unknown>) =>
    legalInput.safeParse({ title: "Terms", content: "Text", ...fields });

  test("line breaks are one character each, and a title is one line", () => {
    const content = " 1.\r\nBe kind.\r\n\r\n2.\rPlay\0fair. ";
    const expected = "1.\nBe kind.\n\n2.\nPlay fair.";
    expect(read({ title: " Our\nterms ", content }).data).toEqual({
      ...{ title: "Our terms", content: expected },
    });
  });

  test.each([
    [{ title: " " }, "Title is required"],
    [{ title: "x".repeat(121) }, "Title can be at most 120 characters"],
    [{ content: "\r\n" }, "Content is required"],
    [{ content: "x".repeat(50_001) }, "Content can be at most 50,000 characters"],
  ])("rejected %#", (fields, message) => {
    expect(read(fields).error?.issues[0]?.message).toBe(message);
  });
});

describe("the parts of the cancellation rule that a text omits", () => {
  const rule = { until: 24, feeCents: 99 };
  test.each([
    ["At least 24 hours before, minus a €0.99 fee.", []],
    ["24-hour rule; 0,99 €", []],
    ["24 h, 0.99 credits", []],
    ["Until 12 hours before, minus 0.99.", ["24 hours"]],
    ["Until 124 hours before, minus 10.99.", ["24 hours", "0.99\u00a0€"]],
    ["24 hours before, minus 0.995.", ["0.99\u00a0€"]],
    ["24 houses", ["24 hours", "0.99\u00a0€"]],
    ["", ["24 hours", "0.99\u00a0€"]],
  ])("%j", (text, missing) => {
    expect(missingFromLegalText(text, rule)).toEqual(missing);
  });

  test("another rule asks for other words", () => {
    const other = { until: 12, feeCents: 150 };
    expect(missingFromLegalText("24 hours, 0.99", other)).toEqual(["12 hours", "1.50\u00a0€"]);
  });
});
