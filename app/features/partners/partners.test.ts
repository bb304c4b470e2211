import { beforeEach, describe, expect, test } from "vitest";
import { openFiles } from "#app/platform/files.server.ts";
import { useDatabase } from "#test/db.ts";
import { aPlayer } from "#test/fixtures.ts";
import { changeRow, createRow, editRow, moveRow } from "#app/platform/entity-writes.server.ts";
import { findRow } from "#app/platform/entity.server.ts";
import {
  addPartner,
  listActivePartners,
  listPartners,
  partners,
  removePartner,
} from "./partners.server.ts";

const database = useDatabase(12);
const actor = "0f8e5a5e-0000-4000-8000-000000000001";
const NOBODY = crypto.randomUUID();
const FACTS = { name: "Gym", websiteUrl: "https://gym.example/", sortOrder: 3 };
beforeEach(async () => {
  await database.db.deleteFrom("partners").execute();
});

const create = async (name: string, sortOrder = 0, id: string = crypto.randomUUID()) => {
  const input = { ...FACTS, name, sortOrder };
  expect(await createRow(database.db, partners, { id, input, actor })).toEqual({ ok: true });
  return id;
};
const requester = (id: string, isActive: boolean) =>
  changeRow(database.db, partners, { id, actor, action: "partner.switch", values: { isActive } });
const names = async () => (await listPartners(database.db)).map(({ name }) => name);
const find = async (id: string) => (await findRow(database.db, partners, id))!;

/** What the log says of a partner, the last first. */
async function entriesOf(subject: string) {
  const entries = database.db.selectFrom("audit_log").select(["actor", "action", "details"]);
  return entries.where("subject", "=", subject).orderBy("id", "desc").execute();
}

test("a new partner is active, has no logo, and is recorded", async () => {
  const id = await create("Gym", 3);
  expect(await find(id)).toEqual({
    ...{ id, ...FACTS, logoUrl: null, isActive: true, version: 1 },
  });
  const details = { before: null, after: FACTS };
  expect(await entriesOf(id)).toEqual([{ actor, action: "partner.create", details }]);
});

test("a form that arrives twice makes one partner, and another partner is not taken for it", async () => {
  const id = crypto.randomUUID();
  await Promise.all([create("Gym", 3, id), create("Gym", 3, id)]);
  expect(await names()).toEqual(["Gym"]);
  expect(await entriesOf(id)).toHaveLength(1);
  const make = (id: string) =>
    createRow(database.db, partners, { id, input: { ...FACTS, name: "Café" }, actor });
  expect(await make(id)).toEqual({ ok: false, reason: "form-used" });
  expect(await make("x")).toEqual({ ok: false, reason: "no-id" });
  expect(await names()).toEqual(["Gym"]);
});

// spec: 7.39
test("all partners are listed in order, active or not", async () => {
  const hidden = await create("last", 9);
  await create("second", 2);
  await create("first", -1);
  await requester(hidden, false);
  expect(await names()).toEqual(["first", "second", "last"]);
  const active = await listActivePartners(database.db);
  expect(active.map(({ name }) => name)).toEqual(["first", "second"]);
});

describe("an edit", () => {
  const edit = (id: string, version: number, input: Partial<typeof FACTS>) =>
    editRow(database.db, partners, { id, version, input: { ...FACTS, ...input }, actor });

  // spec: 7.40
  test("changes the facts and records both", async () => {
    const id = await create("Gym", 3);
    expect(await edit(id, 1, { name: "Campus Gym", sortOrder: 4 })).toEqual({ ok: true });
    expect(await find(id)).toMatchObject({ name: "Campus Gym", sortOrder: 4, version: 2 });
    const [entry] = await entriesOf(id);
    const after = { ...FACTS, name: "Campus Gym", sortOrder: 4 };
    expect(entry).toEqual({ actor, action: "partner.edit", details: { before: FACTS, after } });
  });

  test("the second of two admins gets a conflict with both versions", async () => {
    const id = await create("Gym", 3);
    const results = await Promise.all([edit(id, 1, { name: "One" }), edit(id, 1, { name: "Two" })]);
    const failed = results.filter(({ ok }) => !ok);
    const current = await find(id);
    expect(failed).toEqual([{ ok: false, reason: "changed", current }]);
    expect(["One", "Two"]).toContain(current.name);
    expect(await edit(id, current.version, { name: "Both" })).toEqual({ ok: true });
    expect(await find(id)).toMatchObject({ name: "Both" });
  });

  test("without changes is no edit, whatever its version", async () => {
    const id = await create("Gym", 3);
    await requester(id, false);
    expect(await edit(id, 1, {})).toEqual({ ok: true });
    expect(await entriesOf(id)).toHaveLength(2);
  });

  test("of a deleted partner fails", async () => {
    expect(await edit(NOBODY, 1, {})).toEqual({ ok: false, reason: "gone" });
  });
});

// spec: 4.36
test("the switch is set, recorded, and set once", async () => {
  const partnerId = await create("Gym");
  const results = [await requester(partnerId, false), await requester(partnerId, false)];
  expect(results).toMatchObject([{ ok: true }, { ok: true }]);
  expect(await find(partnerId)).toMatchObject({ isActive: false });
  const details = { before: { isActive: true }, after: { isActive: false } };
  const [entry, ...others] = await entriesOf(partnerId);
  expect(entry).toEqual({ actor, action: "partner.switch", details });
  expect(others).toHaveLength(1);
  expect(await requester(NOBODY, true)).toEqual({ ok: false, reason: "gone" });
});

describe("a move", () => {
  const move = (id: string, direction: "up" | "down") =>
    moveRow(database.db, partners, { id, direction, actor });

  test("passes the neighbour, even with equal numbers", async () => {
    const ids = [await create("a"), await create("b"), await create("c")];
    expect(await move(ids[2]!, "up")).toEqual({ ok: true });
    expect(await names()).toEqual(["a", "c", "b"]);
    await move(ids[0]!, "down");
    expect(await names()).toEqual(["c", "a", "b"]);
    const [entry] = await entriesOf(ids[0]!);
    const details = { before: { sortOrder: 1 }, after: { sortOrder: 2 } };
    expect(entry).toEqual({ actor, action: "partner.move", details });
  });

  test("at the ends changes nothing", async () => {
    const ids = [await create("a", 5), await create("b", 7)];
    expect(await move(ids[0]!, "up")).toEqual({ ok: true });
    expect(await move(ids[1]!, "down")).toEqual({ ok: true });
    expect((await listPartners(database.db)).map(({ sortOrder }) => sortOrder)).toEqual([5, 7]);
    expect(await move(NOBODY, "up")).toEqual({ ok: false, reason: "gone" });
  });

  test("does not touch partners that keep their position", async () => {
    const ids = [await create("a", 1), await create("b", 2), await create("c", 3)];
    await move(ids[2]!, "up");
    const versions = (await listPartners(database.db)).map(({ version }) => version);
    expect(versions).toEqual([1, 2, 2]);
  });

  test("many at once all happen", async () => {
    const ids = [await create("a"), await create("b"), await create("c"), await create("d")];
    await Promise.all([move(ids[3]!, "up"), move(ids[3]!, "up"), move(ids[3]!, "up")]);
    expect(await names()).toEqual(["d", "a", "b", "c"]);
  });
});

// spec: 7.41
test("a deletion is recorded with what was there, and happens once", async () => {
  const id = await create("Gym", 3);
  const parts = { db: database.db, files: openFiles({ dataDir: "/nowhere", bucket: null }) };
  expect(await removePartner(parts, { id, actor })).toMatchObject({ ok: true });
  expect(await names()).toEqual([]);
  const before = { ...FACTS, logoUrl: null, isActive: true };
  const [entry] = await entriesOf(id);
  expect(entry).toEqual({ actor, action: "partner.remove", details: { before, after: null } });
  expect(await removePartner(parts, { id, actor })).toEqual({ ok: false, reason: "gone" });
});

test("a change that cannot be recorded is rolled back", async () => {
  await addPartner(database.db, { name: "Gym" });
  const [partner] = await listPartners(database.db);
  const player = await aPlayer(database.db);
  await database.pool.query(
    "alter table audit_log add constraint no_entries check (false) not valid",
  );
  try {
    const entry = { id: partner!.id, actor: player };
    const change = { ...entry, action: "partner.switch", values: { isActive: false } } as const;
    await expect(changeRow(database.db, partners, change)).rejects.toThrow("no_entries");
    await expect(
      removePartner(
        { db: database.db, files: openFiles({ dataDir: "/nowhere", bucket: null }) },
        entry,
      ),
    ).rejects.toThrow("no_entries");
  } finally {
    await database.pool.query("alter table audit_log drop constraint no_entries");
  }
  expect(await listPartners(database.db)).toEqual([partner]);
});

describe("the form's input", () => {
  const read = (fields: Record<string, unknown>) =>
    partners.input.safeParse({ name: "Gym", websiteUrl: "", ...fields });

  // spec: 5.25
  test.each([
    [undefined, 0],
    ["", 0],
    ["x", 0],
    ["7", 7],
    [" -3 ", -3],
    ["2.9", 2],
    ["12 or so", 12],
    ["1e9", 1],
    ["NaN", 0],
  ])("the sort order %j is %i", (sortOrder, expected) => {
    expect(read({ sortOrder }).data).toMatchObject({ sortOrder: expected });
  });

  test.each([
    [{ name: " " }, "Name is required"],
    [{ name: "x".repeat(81) }, "Name can be at most 80 characters"],
    [{ websiteUrl: "gym" }, "Please enter a web address, such as https://partner.example"],
    [{ websiteUrl: "javascript:alert(1)" }, expect.stringContaining("web address")],
    [{ websiteUrl: "ftp://gym.example/" }, expect.stringContaining("web address")],
    [{ websiteUrl: `https://gym.example/${"x".repeat(500)}` }, "Website is too long"],
    [{ sortOrder: "99999999999999999999" }, "Sort order is too large"],
    [{ sortOrder: "-1000001" }, "Sort order is too small"],
  ])("%j is rejected", (fields, message) => {
    expect(read(fields).error?.issues[0]?.message).toEqual(message);
  });

  test("a website is kept as typed, an empty one is null", () => {
    const websiteUrl = "http://gym.example/?a=1";
    expect(read({ websiteUrl: ` ${websiteUrl} ` }).data).toMatchObject({ websiteUrl });
    expect(read({ websiteUrl: " " }).data).toMatchObject({ websiteUrl: null });
  });

  test("a name is one line without controls", () => {
    expect(read({ name: "Campus\n\0Gym" }).data).toMatchObject({ name: "Campus Gym" });
  });
});
