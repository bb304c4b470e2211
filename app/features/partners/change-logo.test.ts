import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { useDatabase, watchQueries } from "#test/db.ts";
import { stripes } from "#test/pictures.ts";
import { STORAGES, type TestStorage } from "#test/storages.ts";
import { fileName, openFiles } from "#app/platform/files.server.ts";
import { createRow } from "#app/platform/entity-writes.server.ts";
import { findRow } from "#app/platform/entity.server.ts";
import { changeLogo, partners, removePartner } from "./partners.server.ts";
import { LOGO_MAX_BYTES } from "./rules.ts";

const database = useDatabase(12);
const actor = "0f8e5a5e-0000-4000-8000-000000000001";
describe.each(STORAGES)("in $place", ({ open }) => {
  let storage: TestStorage;
  let partnerId: string;
  let png: Buffer;
  beforeAll(async () => {
    png = await stripes(40, 20).png().toBuffer();
  });
  beforeEach(async () => {
    storage = await open();
    partnerId = crypto.randomUUID();
    const input = { name: "Gym", websiteUrl: null, sortOrder: 0 };
    await createRow(database.db, partners, { id: partnerId, input, actor });
  });
  afterEach(() => storage.close());

  const parts = () => ({ db: database.db, files: openFiles(storage.env) });
  const change = (bytes: Buffer, id = partnerId) => changeLogo(parts(), { id, bytes, actor });
  const logoUrl = async () => (await findRow(database.db, partners, partnerId))!.logoUrl;
  const stored = () => storage.names();

  // spec: 7.44
  test("a logo is stored, named by its partner, and recorded", async () => {
    expect(await change(png)).toMatchObject({ ok: true });
    const url = await logoUrl();
    expect(url).toMatch(/^\/files\/partners\/[0-9a-f]{32}\.webp$/);
    expect(await stored()).toEqual([fileName(url)]);
    const entry = database.db.selectFrom("audit_log").select(["actor", "action", "details"]);
    const [last] = await entry.where("subject", "=", partnerId).orderBy("id", "desc").execute();
    const details = { before: { logoUrl: null }, after: { logoUrl: url } };
    expect(last).toEqual({ actor, action: "partner.logo", details });
  });

  test("the former logo is deleted, also with concurrent uploads", async () => {
    await change(png);
    const results = await Promise.all([change(png), change(png), change(png)]);
    expect(results.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(await stored()).toEqual([fileName(await logoUrl())]);
  });

  test("a deleted partner leaves no file", async () => {
    await change(png);
    expect(await removePartner(parts(), { id: partnerId, actor })).toMatchObject({ ok: true });
    expect(await stored()).toEqual([]);
  });

  test("a logo that was not uploaded is never deleted", async () => {
    await database.db
      .updateTable("partners")
      .set({ logo_url: "/partners/campus-gym.svg" })
      .where("id", "=", partnerId)
      .execute();
    expect(await change(png)).toMatchObject({ ok: true });
    expect(await stored()).toHaveLength(1);
  });

  test("an invalid image changes and stores nothing", async () => {
    await change(png);
    const before = [await logoUrl(), await stored()];
    const invalid: [Buffer, string][] = [
      [Buffer.from("%PDF-1.7"), "not-an-image"],
      [Buffer.alloc(0), "not-an-image"],
      [png.subarray(0, 60), "unreadable"],
      [Buffer.from('<svg><image href="/etc/passwd"/></svg>'), "svg-outside"],
      [Buffer.from("<svg><script>alert(1)</script></svg>"), "svg-script"],
      [Buffer.from("<svg><foreignObject><p>a</p></foreignObject></svg>"), "svg-outside"],
      [Buffer.from(`<svg>${" ".repeat(512 * 1024)}</svg>`), "svg-too-large"],
      [Buffer.from(`<svg>${"<use href='#a'/>".repeat(25)}</svg>`), "svg-repeats"],
      [Buffer.from("<svg>\0</svg>"), "svg-not-utf8"],
      [Buffer.from("<svg><g></svg>"), "unreadable"],
      [Buffer.concat([png, Buffer.alloc(LOGO_MAX_BYTES)]), "too-large"],
    ];
    for (const [bytes, reason] of invalid) {
      expect(await change(bytes)).toEqual({ ok: false, reason });
    }
    expect([await logoUrl(), await stored()]).toEqual(before);
  });

  test("a deleted partner gets no logo, and no file is left", async () => {
    expect(await change(png, crypto.randomUUID())).toEqual({ ok: false, reason: "gone" });
    expect(await stored()).toEqual([]);
  });

  test("where the partner cannot be written no file is left", async () => {
    const db = watchQueries(database.db, ({ kind }) => {
      if (kind === "UpdateQueryNode") throw new Error("no write");
    });
    const wish = { id: partnerId, bytes: png, actor };
    await expect(changeLogo({ ...parts(), db }, wish)).rejects.toThrow("no write");
    expect(await stored()).toEqual([]);
  });

  test("where the storage takes nothing the partner keeps its logo", async () => {
    await change(png);
    const before = await logoUrl();
    await storage.takeNothing();
    await expect(change(png)).rejects.toThrow(/ENOTDIR|bucket/);
    expect(await logoUrl()).toBe(before);
  });

  test("uploads beyond the queue limit fail as busy", async () => {
    const results = await Promise.all(Array.from({ length: 20 }, () => change(png)));
    expect(results.filter(({ ok }) => ok)).toHaveLength(17);
    expect(results).toContainEqual({ ok: false, reason: "busy" });
  });
});
