import { beforeEach, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { ada, NOW } from "#test/fixtures.ts";
import {
  adoptComingPages,
  findComingPage,
  planLegalPage,
  withdrawComingPage,
} from "./coming-pages.server.ts";
import {
  editLegalPage,
  findLegalPage,
  findStoredPage,
  listLegalVersions,
} from "./legal-pages.server.ts";

const database = useDatabase();
let actor: string;
beforeEach(async () => {
  const { db } = database;
  actor = await ada(db);
  await db.deleteFrom("coming_legal_pages").execute();
  await db.deleteFrom("legal_page_versions").execute();
  await db.deleteFrom("legal_pages").execute();
  const text = { content: "First", updated_at: NOW };
  await db
    .insertInto("legal_pages")
    .values({ page_type: "terms", title: "Terms", ...text })
    .execute();
});

const type = "terms";
const DAY = "2026-12-24";
/** The last second of the 23rd and the first of the 24th in Helsinki. */
const [BEFORE, AFTER] = [new Date("2026-12-23T21:59:59Z"), new Date("2026-12-23T22:00:00Z")];
const plan = (content: string, { version = 0, holdsFrom = DAY, now = NOW } = {}) =>
  planLegalPage(database.db, {
    type,
    version,
    input: { title: "Terms", content, holdsFrom },
    actor,
    now,
  });
const read = (now: Date) => findLegalPage(database.db, type, now);
const entries = async () =>
  database.db
    .selectFrom("audit_log")
    .select(["action", "actor", "details"])
    .where("subject", "=", type)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();

test("a coming text is shown beside the present one, and holds from its day on without any job", async () => {
  expect(await plan("Second")).toEqual({ ok: true });
  const coming = { title: "Terms", content: "Second", holdsFrom: DAY };
  expect(await read(BEFORE)).toEqual({ title: "Terms", content: "First", coming });
  expect(await read(AFTER)).toEqual({ title: "Terms", content: "Second", coming: null });
  expect(await entries()).toEqual({
    ...{ action: "legal.plan", actor },
    details: { before: null, after: { title: "Terms", holdsFrom: DAY } },
  });
});

test("on its day the former text is kept, with the log's entry, once", async () => {
  await plan("Second");
  await adoptComingPages(database.db, BEFORE);
  expect(await findStoredPage(database.db, type)).toMatchObject({ content: "First", version: 1 });
  await Promise.all([1, 2].map(() => adoptComingPages(database.db, AFTER)));
  expect(await findStoredPage(database.db, type)).toMatchObject({ content: "Second", version: 2 });
  expect(await findComingPage(database.db, type)).toBeNull();
  const versions = await listLegalVersions(database.db, { type, before: null, limit: 9 });
  expect(versions).toMatchObject([{ version: 1, title: "Terms" }]);
  expect(await entries()).toMatchObject({ action: "legal.edit", actor: "system" });
});

test("an edit after its day begins with the coming text, whose version it has not seen", async () => {
  await plan("Second");
  const edit = {
    type,
    version: 1,
    input: { title: "Terms", content: "Mine" },
    actor,
    now: AFTER,
  } as const;
  expect(await editLegalPage(database.db, edit)).toMatchObject({
    ...{ ok: false, reason: "changed", current: { content: "Second", version: 2 } },
  });
});

test("the second of two organisers who plan a text is notified", async () => {
  const results = await Promise.all([plan("One"), plan("Two")]);
  expect(results.filter(({ ok }) => !ok)).toEqual([{ ok: false, reason: "changed" }]);
  const { version, content } = (await findComingPage(database.db, type))!;
  expect(await plan(content)).toEqual({ ok: true });
  expect(await plan("Three", { version })).toEqual({ ok: true });
  expect(await plan("Four", { version })).toEqual({ ok: false, reason: "changed" });
});

test("a coming text can be withdrawn, as it was shown and before its day", async () => {
  await plan("Second");
  const withdraw = (version: number, now = NOW) =>
    withdrawComingPage(database.db, { type, version, actor, now });
  expect(await withdraw(2)).toEqual({ ok: false, reason: "changed" });
  expect(await withdraw(1)).toEqual({ ok: true });
  expect(await read(AFTER)).toMatchObject({ content: "First", coming: null });
  expect(await entries()).toMatchObject({ action: "legal.withdraw" });
  await plan("Third");
  expect(await withdraw(1, AFTER)).toEqual({ ok: false, reason: "changed" });
});
