import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { visit } from "#test/visit.ts";
import { useAdmin } from "#test/use-admin.ts";
import { stripes } from "#test/pictures.ts";
import { addPartner } from "#app/features/partners/partners.server.ts";
import { LOGO_MAX_BYTES } from "#app/features/partners/rules.ts";
import { log } from "#app/platform/log.server.ts";
import { loader as landing } from "#app/routes/public/landing.tsx";
import * as file from "#app/routes/public/file.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import type { FormView } from "#app/routes/admin/entity/form-view.server.ts";
import * as edit from "./edit.tsx";
import * as list from "./list.tsx";

const admin = useAdmin();
const PATH = "/admin/partners";
const ID = "00000000-0000-4000-8000-00000000000a";
const UPDATED = { status: 302, to: PATH, title: "Partner updated successfully" };
beforeEach(async () => {
  await admin.app.db.deleteFrom("partners").execute();
  const gym = { id: ID, name: "Gym", website_url: "https://gym.example/", sort_order: 1 };
  await addPartner(admin.app.db, gym);
  await addPartner(admin.app.db, { name: "Café", sort_order: 2 });
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** The partners of the front page, as a visitor sees them. */
const loadPartners = async (app: typeof admin.app) =>
  (await visit(app, landing, { path: "/" })).data.partners;

type Listed = { id: string; name: string };
type Found = { row: Listed | null; form: FormView } | null;
type Fields = Record<string, string>;
type Body = Fields | FormData;

const open = (app = admin.app) =>
  admin.visit<{ found: Listed[] | null }>(list.loader, { path: PATH }, app);
const names = async () => (await open()).data.found?.map(({ name }) => name);
const act = (body: Record<string, string>, app = admin.app) =>
  admin.visit<FormResult>(list.action, { path: PATH, body: { partnerId: ID, ...body } }, app);
const where = (partnerId: string) => ({ path: `${PATH}/${partnerId}` });
const openOne = (partnerId = ID, app = admin.app) =>
  admin.visit<{ found: Found }>(edit.loader, where(partnerId), app);
const post = (body: Body, app = admin.app, partnerId = ID) =>
  admin.visit<FormResult>(edit.action, { ...where(partnerId), body }, app);
const save = async (fields: Record<string, string>, app = admin.app) => {
  const facts = { name: "Gym", websiteUrl: "https://gym.example/", sortOrder: "1", version: "1" };
  return post({ intent: "save", ...facts, ...fields }, app);
};

function logo(bytes: Buffer, name = "logo.png"): FormData {
  const form = new FormData();
  form.set("intent", "logo");
  form.set("logo", new File([new Uint8Array(bytes)], name, { type: "image/png" }));
  return form;
}

describe("the list", () => {
  // spec: 2.132
  test("holds every partner in its order, with what can be done about it", async () => {
    const { status, data } = await open();
    expect(status).toBe(200);
    expect(data.found).toMatchObject([
      { id: ID, name: "Gym", website: "gym.example", isActive: true, sortOrder: 1, version: 1 },
      { name: "Café", website: "", logoUrl: null },
    ]);
  });

  // spec: 8.44
  test("that cannot be read says so", async () => {
    vi.spyOn(log, "error").mockImplementation(() => {});
    const { status, data } = await open(admin.broken("reads"));
    expect([status, data]).toEqual([500, { found: null }]);
  });

  // spec: 2.133
  test("is switched, and the front page follows at once", async () => {
    const shown = async () => (await loadPartners(admin.app)).map(({ name }) => name);
    const logos = admin.app.db.updateTable("partners").set({ logo_url: "/partners/x.svg" });
    await logos.execute();
    expect(await shown()).toEqual(["Gym", "Café"]);
    const turn = async (isActive: string) => admin.toast(await act({ intent: "switch", isActive }));
    expect(await turn("false")).toEqual(UPDATED);
    expect(await shown()).toEqual(["Café"]);
    expect(await turn("true")).toEqual(UPDATED);
    expect(await shown()).toEqual(["Gym", "Café"]);
  });

  // spec: 2.134
  test("is put in another order", async () => {
    expect(await admin.toast(await act({ intent: "down" }))).toEqual(UPDATED);
    expect(await names()).toEqual(["Café", "Gym"]);
    await act({ intent: "up" });
    expect(await names()).toEqual(["Gym", "Café"]);
  });

  // spec: 8.46
  test("says when a partner cannot be updated", async () => {
    const logged = vi.spyOn(log, "error").mockImplementation(() => {});
    const title = "Failed to update partner";
    for (const body of [{ intent: "switch", isActive: "false" }, { intent: "down" }] as Fields[]) {
      const { status, data } = await act(body, admin.broken("writes"));
      expect([status, data.title]).toEqual([500, title]);
    }
    expect(logged).toHaveBeenCalledTimes(2);
    for (const body of [{}, { intent: "x" }, { intent: "up", partnerId: "\0" }] as Fields[]) {
      expect((await act(body)).status).toBe(400);
    }
    const gone = { intent: "up", partnerId: crypto.randomUUID() };
    expect(await admin.toast(await act(gone))).toEqual({ status: 302, to: PATH, title });
  });
});

describe("a new partner", () => {
  const create = (fields: Record<string, string>, app = admin.app) =>
    admin.visit<FormResult>(
      edit.action,
      {
        path: `${PATH}/new`,
        body: { intent: "save", ...fields },
      },
      app,
    );

  test("is in the list, and leads to its logo", async () => {
    const path = `${PATH}/new`;
    const { data: blank } = await admin.visit<{ found: Found }>(edit.loader, { path });
    const { values, once } = blank.found!.form;
    expect(values).toEqual({ name: "", websiteUrl: "", sortOrder: "0" });
    const partnerId = once!["partnerId"]!;
    const body = { partnerId, name: "Bikes", websiteUrl: "", sortOrder: "" };
    const title = "Partner added successfully";
    for (const answer of await Promise.all([create(body), create(body)])) {
      const to = `${PATH}/${partnerId}`;
      expect(await admin.toast(answer)).toEqual({ status: 302, title, to });
    }
    const [first] = (await open()).data.found!;
    expect(first).toMatchObject({ id: partnerId, name: "Bikes", sortOrder: 0, isActive: true });
    expect((await openOne(partnerId)).data.found?.row).toMatchObject({ name: "Bikes" });
    expect(await names()).toEqual(["Bikes", "Gym", "Café"]);
  });

  test("that is wrong keeps what was typed", async () => {
    const values = { name: "", websiteUrl: "gym", sortOrder: "x" };
    expect(await create(values)).toMatchObject({
      status: 422,
      data: {
        values,
        fieldErrors: { name: "Name is required", websiteUrl: expect.stringContaining("address") },
      },
    });
    expect((await create({ intent: "x" })).status).toBe(400);
    expect((await create({ name: "Bikes" })).status).toBe(400);
    // A form that has made another partner already.
    expect(await create({ name: "Bikes", partnerId: ID })).toMatchObject({
      status: 409,
      data: { formError: expect.stringContaining("another partner") },
    });
    expect(await names()).toEqual(["Gym", "Café"]);
  });
});

describe("an edit", () => {
  // spec: 2.136, 8.49
  test("is stored and said", async () => {
    const answer = await save({ name: "Campus Gym", websiteUrl: "", sortOrder: "5" });
    expect(await admin.toast(answer)).toEqual({ ...UPDATED, to: `${PATH}/${ID}` });
    const { found } = (await openOne()).data;
    expect(found?.form.values).toEqual({ name: "Campus Gym", websiteUrl: "", sortOrder: "5" });
  });

  test("of two admins nothing is lost: the second sees what the first changed", async () => {
    await save({ name: "Campus Gym", sortOrder: "5" });
    const mine = { name: "Uni Gym", websiteUrl: "https://gym.example/" };
    const second = await save(mine);
    expect(second).toMatchObject({
      status: 409,
      data: {
        ...{ title: "Failed to update partner", values: { ...mine, sortOrder: "1" } },
        conflict: {
          version: 2,
          differences: [
            { label: "Name", theirs: "Campus Gym", yours: "Uni Gym" },
            { label: "Sort order", theirs: "5", yours: "1" },
          ],
        },
      },
    });
    expect((await openOne()).data.found?.row).toMatchObject({ name: "Campus Gym" });
    expect((await save({ ...mine, version: "2" })).status).toBe(302);
    expect((await openOne()).data.found?.form.values).toMatchObject({
      ...{ name: "Uni Gym", sortOrder: "1" },
    });
  });

  test("that is wrong or cannot be stored says so and keeps what was typed", async () => {
    const title = "Failed to update partner";
    expect(await save({ websiteUrl: "javascript:alert(1)" })).toMatchObject({
      status: 422,
      data: { title, values: { websiteUrl: "javascript:alert(1)" } },
    });
    vi.spyOn(log, "error").mockImplementation(() => {});
    expect(await save({ name: "Other" }, admin.broken("writes"))).toMatchObject({
      status: 500,
      data: { title, values: { name: "Other" } },
    });
    expect((await post({ intent: "x" })).status).toBe(400);
  });

  test("of a partner who is gone leads back to the list", async () => {
    await admin.app.db.deleteFrom("partners").execute();
    const title = "Failed to update partner";
    expect(await admin.toast(await save({}))).toEqual({ status: 302, to: PATH, title });
    for (const id of [ID, "no-id"]) expect((await openOne(id)).status).toBe(404);
    vi.spyOn(log, "error").mockImplementation(() => {});
    expect((await openOne(ID, admin.broken("reads"))).status).toBe(500);
  });
});

describe("a logo", () => {
  // spec: 2.135, 8.48
  test("is uploaded, kept in its shape and served to everybody", async () => {
    const png = await stripes(60, 20).png().toBuffer();
    const title = "Logo uploaded successfully";
    const to = `${PATH}/${ID}`;
    expect(await admin.toast(await post(logo(png)))).toEqual({ status: 302, to, title });
    const [shown] = await loadPartners(admin.app);
    expect(shown?.logoUrl).toMatch(/^\/files\/partners\/[0-9a-f]{32}\.webp$/);
    expect((await admin.visit(file.loader, { path: shown!.logoUrl! })).status).toBe(200);
  });

  // spec: 5.24
  test("that is no image is rejected: 'Please select an image file'", async () => {
    const fieldErrors = { logo: "Please select an image file" };
    const data = { form: "logo", title: "Failed to upload logo", fieldErrors };
    for (const body of [logo(Buffer.from("%PDF")), logo(Buffer.alloc(0)), { intent: "logo" }]) {
      expect(await post(body)).toMatchObject({ status: 422, data });
    }
    expect((await openOne()).data.found?.row).toMatchObject({ logoUrl: null });
  });

  // spec: 8.45
  test("that is too large, broken or cannot be stored says which", async () => {
    const png = await stripes(60, 20).png().toBuffer();
    const title = "Failed to upload logo";
    const large = logo(Buffer.concat([png, Buffer.alloc(LOGO_MAX_BYTES)]));
    expect(await post(large)).toMatchObject({
      status: 413,
      data: { title, fieldErrors: { logo: "Image must be smaller than 5MB" } },
    });
    expect(await post(logo(png.subarray(0, 60)))).toMatchObject({ status: 422, data: { title } });
    vi.spyOn(log, "error").mockImplementation(() => {});
    const broken = await post(logo(png), admin.broken("writes"));
    expect(broken).toMatchObject({ status: 500, data: { title } });
    const gone = await post(logo(png), admin.app, crypto.randomUUID());
    expect(await admin.toast(gone)).toEqual({ status: 302, to: PATH, title });
  });
});

describe("a deletion", () => {
  // spec: 8.50
  test("takes the partner from the list and says so", async () => {
    const answer = await post({ intent: "remove" });
    const title = "Partner deleted successfully";
    expect(await admin.toast(answer)).toEqual({ status: 302, to: PATH, title });
    expect(await names()).toEqual(["Café"]);
  });

  // spec: 8.47
  test("that fails says so and keeps the partner", async () => {
    const title = "Failed to delete partner";
    vi.spyOn(log, "error").mockImplementation(() => {});
    expect(await post({ intent: "remove" }, admin.broken("writes"))).toMatchObject({
      status: 500,
      data: { title },
    });
    expect(await names()).toEqual(["Gym", "Café"]);
    const gone = await post({ intent: "remove" }, admin.app, crypto.randomUUID());
    expect(await admin.toast(gone)).toEqual({ status: 302, to: PATH, title });
  });
});
