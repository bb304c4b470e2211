import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { useAdmin } from "#test/use-admin.ts";
import { storeDefaults } from "../../../../db/defaults.ts";
import { log } from "#app/platform/log.server.ts";
import { cancellationWarning, type LegalResult, textDifferences } from "./actions.server.ts";
import * as edit from "./edit.tsx";
import type { Editor } from "./edit.tsx";
import * as list from "./list.tsx";
import * as version from "./version.tsx";
import * as announce from "#app/routes/admin/announcements/new.tsx";
import * as publicTerms from "#app/routes/public/legal.tsx";

const admin = useAdmin();
beforeEach(async () => {
  await admin.app.db.deleteFrom("legal_page_versions").execute();
  await admin.app.db.deleteFrom("legal_pages").execute();
  await storeDefaults(admin.app.db, admin.app.env);
});
afterEach(() => {
  vi.restoreAllMocks();
});

interface Listed {
  found: { type: string; title: string; warning: string | null }[] | null;
}
const openList = (app = admin.app) =>
  admin.visit<Listed>(list.loader, { path: "/admin/legal" }, app);
const where = (pageType: string, query = "") => ({
  ...{ path: `/admin/legal/${pageType}${query}` },
});
const open = (query = "", pageType = "terms", app = admin.app) =>
  admin.visit<{ found: Editor | null }>(edit.loader, where(pageType, query), app);
const editor = async (query = "") => (await open(query)).data.found!;
const post = (fields: Record<string, string>, app = admin.app, pageType = "terms") =>
  admin.visit<LegalResult>(edit.action, { ...where(pageType), body: fields }, app);
const save = async (fields: Record<string, string>, app = admin.app) => {
  const { title, version: current } = await editor();
  return post({ intent: "save", title, version: String(current), ...fields }, app);
};
const publicText = async () => (await admin.visit(publicTerms.loader, { path: "/terms" })).data;

describe("the list", () => {
  test("holds both pages by their type, without a warning about the default texts", async () => {
    const { status, data } = await openList();
    expect(status).toBe(200);
    expect(data.found).toMatchObject([
      { type: "privacy", title: "Privacy Policy", warning: null },
      { type: "terms", title: "Terms & Conditions", warning: null },
    ]);
  });

  test("shows an error where it cannot be read or is empty", async () => {
    const logged = vi.spyOn(log, "error").mockImplementation(() => {});
    const failed = [500, { found: null }];
    const { status, data } = await openList(admin.broken("reads"));
    expect([status, data]).toEqual(failed);
    await admin.app.db.deleteFrom("legal_pages").execute();
    const empty = await openList();
    expect([empty.status, empty.data]).toEqual(failed);
    expect(logged).toHaveBeenCalledTimes(2);
  });
});

describe("the editor", () => {
  // spec: 2.138
  test("stores title and content, and everybody reads them at once", async () => {
    const saved = await save({ title: "Our terms", content: "Be kind.\r\n\r\nPlay fair." });
    const title = "Legal page updated successfully";
    expect(await admin.toast(saved)).toEqual({ status: 302, to: "/admin/legal/terms", title });
    expect(await publicText()).toEqual({
      ...{ title: "Our terms", content: "Be kind.\n\nPlay fair.", coming: null },
    });
    expect(await editor()).toMatchObject({
      title: "Our terms",
      saved: expect.stringMatching(/ by Ben /),
    });
  });

  test("stores a text with its day, offers to tell everybody, and withdraws it", async () => {
    const past = await save({ content: "Be kind.", holdsFrom: "2026-11-21" });
    expect([past.status, past.data.fieldErrors]).toEqual([
      422,
      { holdsFrom: "Choose a day from tomorrow to 730 days ahead, or none" },
    ]);
    const saved = await save({ content: "Be kind.", holdsFrom: "24.12.2026", comingVersion: "0" });
    expect((await admin.toast(saved)).title).toBe("Legal page updated successfully");
    const { coming, comingVersion, content } = await editor();
    expect([coming, comingVersion]).toEqual([
      {
        title: "Terms & Conditions",
        from: "Dec 24, 2026",
        saved: expect.stringContaining("Saved "),
      },
      1,
    ]);
    expect(content).not.toBe("Be kind.");
    expect(await editor("?from=coming")).toMatchObject({
      ...{ content: "Be kind.", holdsFrom: "2026-12-24" },
    });
    expect(await publicText()).toMatchObject({
      coming: { content: "Be kind.", from: "Dec 24, 2026" },
    });
    const path = "/admin/players/announcements/new?legal=terms";
    const announcement = await admin.visit<Record<string, string>>(announce.loader, { path });
    expect(announcement.data).toMatchObject({
      kind: "important-announcement",
      subject: "Our terms change on Dec 24, 2026",
      message: expect.stringContaining("both here: http://kickabout.test/terms"),
    });
    const other = await save({ content: "Mine", holdsFrom: "2026-12-24", comingVersion: "0" });
    expect(other.status).toBe(409);
    expect((await post({ intent: "withdraw", comingVersion: "2" })).status).toBe(409);
    const withdrawn = await post({ intent: "withdraw", comingVersion: "1" });
    expect((await admin.toast(withdrawn)).title).toBe("Coming text withdrawn");
    expect((await editor()).coming).toBeNull();
  });

  test("keeps what it replaced, to be read and to be opened again", async () => {
    const before = await editor();
    await save({ content: "Be kind." });
    const { versions, former, content } = await editor();
    expect([former, content]).toEqual([null, "Be kind."]);
    expect(versions).toEqual([
      { version: 1, title: before.title, saved: expect.stringMatching(/^Saved \w+ \d+, \d{4}, /) },
    ]);
    const path = "/admin/legal/terms/versions/1";
    const read = await admin.visit<{ found: object }>(version.loader, { path });
    expect(read.data.found).toMatchObject({ title: before.title, content: before.content });
    const restored = await editor("?from=1");
    expect(restored).toMatchObject({ content: before.content, version: 2, former: 1 });
    expect(await publicText()).toMatchObject({ content: "Be kind." });
    await save({ content: restored.content });
    expect(await publicText()).toMatchObject({ content: before.content });
    expect((await editor()).versions).toHaveLength(2);
  });

  test("shows the text before it is stored", async () => {
    const before = await publicText();
    const content = "Be kind.\r\nPlay fair.";
    const { status, data } = await post({ intent: "preview", title: "T", content, version: "1" });
    expect([status, data.preview]).toMatchObject([
      200,
      { title: "T", content: "Be kind.\nPlay fair.", warning: expect.stringContaining("24 hours") },
    ]);
    expect(data.values?.content).toBe(content);
    expect(await publicText()).toEqual(before);
  });

  test("warns where the stored Terms lack the hours or the fee", async () => {
    expect((await editor()).warning).toBeNull();
    await save({ content: "Refunded until 24 hours before kick-off." });
    expect((await editor()).warning).toMatch(/^This text does not mention 0\.99\s€\. /);
    expect((await openList()).data.found?.[1]?.warning).toMatch(/0\.99\s€/);
  });

  test("loses nothing of two admins: the second sees what the first changed", async () => {
    await save({ content: "Be kind.\nPlay fair." });
    const mine = { title: "Mine", content: "Be kind.\r\nBe early." };
    const second = await post({ intent: "save", version: "1", ...mine });
    expect(second).toMatchObject({
      status: 409,
      data: {
        ...{ form: "save", title: "Failed to update legal page", values: mine },
        conflict: {
          version: 2,
          differences: [
            { label: "Title", theirs: "Terms & Conditions", yours: "Mine" },
            { theirs: "Play fair.", yours: "Be early." },
          ],
        },
      },
    });
    expect(await publicText()).toMatchObject({ content: "Be kind.\nPlay fair." });
    expect((await post({ intent: "save", version: "2", ...mine })).status).toBe(302);
    expect(await publicText()).toMatchObject({ title: "Mine" });
  });

  // spec: 8.52
  test("that cannot store or is wrong says so and keeps what was typed", async () => {
    vi.spyOn(log, "error").mockImplementation(() => {});
    const title = "Failed to update legal page";
    const content = "A long text. ".repeat(3_000);
    expect(await save({ content }, admin.broken("writes"))).toMatchObject({
      status: 500,
      data: { title, formError: "Please try again.", values: { content } },
    });
    expect(await save({ content: " " })).toMatchObject({
      status: 422,
      data: { title, fieldErrors: { content: "Content is required" } },
    });
    const odd = await post({ intent: "x", title: "T", content: "C" });
    expect(odd.status).toBe(400);
    const elsewhere = await post({ intent: "save" }, admin.app, "imprint");
    expect(elsewhere).toMatchObject({ status: 404, data: { title } });
  });

  test("shows an error where it cannot be opened", async () => {
    vi.spyOn(log, "error").mockImplementation(() => {});
    expect((await open("", "imprint")).status).toBe(404);
    expect((await open("", "terms", admin.broken("reads"))).status).toBe(500);
    const path = "/admin/legal/terms/versions/9";
    expect((await admin.visit(version.loader, { path })).status).toBe(404);
    const broken = admin.broken("reads");
    expect((await admin.visit(version.loader, { path }, broken)).status).toBe(500);
    await admin.app.db.deleteFrom("legal_pages").execute();
    expect((await open()).status).toBe(500);
  });

  test("lists fifty former texts a page", async () => {
    const { app } = admin;
    const rows = Array.from({ length: 51 }, (_, n) => ({
      ...{ page_type: "terms" as const, version: n + 1, title: `T${n + 1}`, content: "x" },
      ...{ saved_by: null, saved_at: app.now() },
    }));
    await app.db.insertInto("legal_page_versions").values(rows).execute();
    const first = await editor();
    expect([first.versions.length, first.first]).toEqual([50, null]);
    const second = await editor(first.next!.slice("/admin/legal/terms".length));
    expect(second).toMatchObject({ next: null, first: "/admin/legal/terms" });
    expect(second.versions.map(({ version: number }) => number)).toEqual([1]);
    expect((await editor("?before=x&from=x")).versions).toHaveLength(50);
  });
});

test("only the Terms are asked for the cancellation rule", () => {
  expect(cancellationWarning("privacy", "")).toBeNull();
  expect(cancellationWarning("terms", "")).toMatch(
    /^This text does not mention 24 hours and 0\.99\s€/,
  );
});

test("texts that differ in the order of their lines differ", () => {
  const [difference, ...others] = textDifferences(
    { title: "T", content: "a\nb" },
    { title: "T", content: "b\na" },
  );
  expect(others).toEqual([]);
  expect(difference?.theirs).toBe("the same lines, in another order or number");
});
