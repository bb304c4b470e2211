import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { anAdmin } from "#test/admin.ts";
import { stripes } from "#test/pictures.ts";
import { visit } from "#test/visit.ts";
import { aVenue, NOW } from "#test/fixtures.ts";
import { type AdminVenue, findAdminVenue } from "#app/features/venues/admin-venues.server.ts";
import { OUTCOME_UNKNOWN_UNSAFE } from "#app/forms/messages.ts";
import { openFiles } from "#app/platform/files.server.ts";
import { OutcomeUnknownError } from "#app/platform/postgres/commit-outcome.server.ts";
import type { App } from "#app/routes/context.server.ts";
import type { FormView } from "#app/routes/admin/entity/form-view.server.ts";
import * as edit from "./edit.tsx";
import * as list from "./list.tsx";
import * as photos from "./photos.tsx";

const database = useDatabase();
const dataDir = mkdtempSync(path.join(os.tmpdir(), "kickabout-venues-"));
let app: App;
let cookie: string;
beforeAll(async () => {
  const whole = testApp(database, () => NOW);
  app = { ...whole, env: { ...whole.env, dataDir } };
  ({ cookie } = await anAdmin(app));
});
afterAll(() => rmSync(dataDir, { recursive: true }));

type Body = Record<string, string> | FormData;
const facts = {
  intent: "save",
  name: "Hall",
  city: "Espoo",
  address: "",
  description: "",
  mapsUrl: "",
  website: "",
};
const find = async (venueId: string) => (await findAdminVenue(app.db, venueId)) as AdminVenue;
const editAt = (venueId: string, body: Body) =>
  visit(app, edit.action, { path: `/admin/venues/${venueId}`, cookie, body });
const photosAt = (venueId: string, body: Body) => {
  const at = `/admin/venues/${venueId}/photos`;
  return visit(app, photos.action, { path: at, cookie, body });
};

test("a new venue leads to its photos, and is found in the list", async () => {
  const blank = await visit(app, edit.loader, { path: "/admin/venues/new", cookie });
  const { form } = (blank.data as { found: { form: FormView } }).found;
  const id = form.once!["venueId"]!;
  const body = { ...facts, name: "Brand New Hall", venueId: id };
  const post = () => visit(app, edit.action, { path: "/admin/venues/new", cookie, body });
  for (const { status, headers } of await Promise.all([post(), post()])) {
    expect([status, headers.get("Location")]).toEqual([302, `/admin/venues/${id}/photos`]);
  }
  expect((await find(id)).name).toBe("Brand New Hall");
  const path = "/admin/venues?q=brand%20NEW";
  const { data } = await visit(app, list.loader, { path, cookie });
  expect(data).toMatchObject({
    venues: [{ id, isHidden: false, photos: "no photos" }],
    pages: { next: null },
  });
  const odd = await visit(app, list.loader, { path: "/admin/venues?q=%00&after=x", cookie });
  expect(odd.status).toBe(200);
});

test("a form with mistakes comes back as it was typed", async () => {
  const post = (body: Body) => visit(app, edit.action, { path: "/admin/venues/new", cookie, body });
  const { status, data } = await post({ ...facts, name: "", website: "ftp://hall.example" });
  expect(status).toBe(422);
  expect(data).toMatchObject({
    values: { website: "ftp://hall.example" },
    title: "Failed to add venue",
    fieldErrors: { name: "Name is required", website: expect.stringContaining("https://") },
  });
  expect((await post(facts)).status).toBe(400);
  const { intent: _, ...typed } = facts;
  const used = await post({ ...facts, venueId: await aVenue(app.db, { name: "Other" }) });
  expect([used.status, used.data]).toMatchObject([
    409,
    { values: typed, formError: expect.stringContaining("another venue") },
  ]);
});

test("a failure on our side is shown, and the form stays as it was typed", async () => {
  const venueId = await aVenue(app.db);
  await sql`alter table venues rename to venues_away`.execute(app.db);
  try {
    const typed = { ...facts, name: "Typed Hall" };
    const path = "/admin/venues/new";
    const body = { ...typed, venueId: crypto.randomUUID() };
    const added = await visit(app, edit.action, { path, cookie, body });
    const saved = await editAt(venueId, { ...typed, version: "1" });
    for (const { status, data } of [added, saved]) {
      const formError = "Nothing was saved. Please try again.";
      expect([status, data]).toMatchObject([500, { formError, values: { name: "Typed Hall" } }]);
    }
  } finally {
    await sql`alter table venues_away rename to venues`.execute(app.db);
  }
});

test("the second of two admins sees what the first has changed, and keeps what was typed", async () => {
  const id = await aVenue(app.db, { name: "Hall", address: null });
  const version = String((await find(id)).version);
  const first = await editAt(id, { ...facts, version, address: "Otakaari 1" });
  expect([first.status, first.headers.get("Location")]).toEqual([302, `/admin/venues/${id}`]);
  const { intent: _, ...typed } = facts;
  const second = await editAt(id, { ...facts, version, description: "New\r\nfloor." });
  expect([second.status, second.data]).toEqual([
    409,
    {
      ...{ form: "save", title: "Failed to save venue" },
      values: { ...typed, description: "New\r\nfloor.", version },
      conflict: {
        version: 2,
        differences: [
          { label: "Address", theirs: "Otakaari 1", yours: "" },
          { label: "Description", theirs: "", yours: "New\nfloor." },
        ],
      },
    },
  ]);
  expect((await find(id)).address).toBe("Otakaari 1");
});

test("a venue is hidden and shown again", async () => {
  const id = await aVenue(app.db);
  for (const [intent, isHidden] of [["hide", true] as const, ["show", false] as const]) {
    const { status } = await editAt(id, { intent });
    expect([status, (await find(id)).isHidden]).toEqual([302, isHidden]);
  }
});

test("a venue that does not exist is a 404, for its pages and their forms", async () => {
  for (const venueId of ["none", "00000000-0000-4000-8000-000000000000"]) {
    const at = `/admin/venues/${venueId}`;
    expect((await visit(app, edit.loader, { path: at, cookie })).status).toBe(404);
    expect((await visit(app, photos.loader, { path: `${at}/photos`, cookie })).status).toBe(404);
    expect((await editAt(venueId, { ...facts, version: "1" })).status).toBe(404);
    expect((await editAt(venueId, { intent: "hide" })).status).toBe(404);
    expect((await photosAt(venueId, { intent: "arrange" })).status).toBe(404);
  }
});

test("several photos at once: the bad ones are named, the good ones are served", async () => {
  const id = await aVenue(app.db);
  const body = new FormData();
  body.append("intent", "upload");
  const jpeg = new Uint8Array(await stripes(64, 36).jpeg().toBuffer());
  body.append("photos", new File([jpeg], "goal.jpg", { type: "image/jpeg" }));
  body.append("photos", new File(["hello"], "words.jpg", { type: "image/jpeg" }));
  body.append("photos", new File([jpeg], "bench.jpg"));
  const { status, data } = await photosAt(id, body);
  const message = "“words.jpg” is not a JPG or PNG picture.";
  expect([status, data]).toEqual([
    200,
    {
      form: "upload",
      title: "2 photos added, 1 not",
      fieldErrors: { [message]: message },
    },
  ]);
  const [photo] = (await find(id)).photos;
  for (const form of [
    "256.avif",
    "480.avif",
    "480.webp",
    "800.avif",
    "800.webp",
    "1280.avif",
    "1280.webp",
  ]) {
    const name = photo!.url.replace("/files/", "").replace("800.webp", form);
    expect((await openFiles(app.env).read(name))?.type, form).toMatch(/^image\/(avif|webp)$/);
  }
  const none = await photosAt(id, { intent: "upload" });
  expect([none.status, none.data]).toMatchObject([422, { title: "No photo was added" }]);
});

/** The list as the page's form sends it, with one of its buttons. */
function pressed(venue: AdminVenue, change: string, alts = venue.photos.map(({ alt }) => alt)) {
  const body = new FormData();
  body.append("intent", "arrange");
  body.append("version", String(venue.version));
  for (const { url } of venue.photos) body.append("url", url);
  for (const alt of alts) body.append("alt", alt);
  body.append("change", change);
  return body;
}

const threePhotos = () =>
  aVenue(app.db, {
    photo_urls: ["/photos/a-800.webp", "/photos/b-800.webp", "/photos/c-800.webp"],
    photo_alts: ["A", "B", "C"],
  });

test.each([
  ["save", "ABC", "Photos saved"],
  ["up:2", "ACB", "Photo moved to place 2"],
  ["up:0", "ABC", "Photo moved to place 1"],
  ["down:0", "BAC", "Photo moved to place 2"],
  ["down:2", "ABC", "Photo moved to place 3"],
  ["remove:1", "AC", "Photo removed"],
  ["remove:7", "ABC", "Photo removed"],
  ["", "ABC", "Photos saved"],
])("%j of A, B and C leaves %s", async (change, order) => {
  const id = await threePhotos();
  const { status } = await photosAt(id, pressed(await find(id), change));
  expect(status).toBe(302);
  expect((await find(id)).photos.map(({ alt }) => alt).join("")).toBe(order);
});

test("whichever button is pressed, what was typed is saved", async () => {
  const id = await threePhotos();
  await photosAt(id, pressed(await find(id), "up:1", ["The  hall\n", " Goal ", ""]));
  expect((await find(id)).photos.map(({ alt }) => alt)).toEqual(["Goal", "The hall", ""]);
});

test("a description that is too long is an error of its field", async () => {
  const id = await threePhotos();
  const { status, data } = await photosAt(
    id,
    pressed(await find(id), "save", ["A", "x".repeat(201), "C"]),
  );
  expect([status, data]).toMatchObject([
    422,
    { fieldErrors: { "alt-2": "The description of photo 2 can be at most 200 characters" } },
  ]);
});

test("what cannot be stored ends on the page of the photos, with what was typed", async () => {
  const id = await threePhotos();
  const arranged = pressed(await find(id), "save", ["A", "Goal", "C"]);
  const body = new FormData();
  body.append("intent", "upload");
  body.append("photos", new File(["hello"], "words.jpg"));
  await sql`alter table venues rename to venues_away`.execute(app.db);
  try {
    const [saved, added] = [await photosAt(id, arranged), await photosAt(id, body)];
    const formError = "Please try again.";
    expect(saved).toMatchObject({
      status: 500,
      data: { title: "Failed to save photos", formError, values: { "/photos/b-800.webp": "Goal" } },
    });
    expect(added).toMatchObject({
      status: 500,
      data: { title: "Failed to add photos", formError },
    });
  } finally {
    await sql`alter table venues_away rename to venues`.execute(app.db);
  }
});

test("photos whose outcome is unknown claim no failure, and are looked at before another upload", async () => {
  const unknown: Parameters<App["db"]["withPlugin"]>[0] = {
    transformQuery({ node }) {
      if (node.kind === "UpdateQueryNode") throw new OutcomeUnknownError();
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const at = `/admin/venues/${await aVenue(app.db)}/photos`;
  const far = { ...app, db: app.db.withPlugin(unknown) };
  const body = new FormData();
  body.append("intent", "upload");
  body.append("photos", new File([new Uint8Array(await stripes(64, 36).jpeg().toBuffer())], "a"));
  const { status, data } = await visit(far, photos.action, { path: at, cookie, body });
  expect([status, data]).toEqual([503, OUTCOME_UNKNOWN_UNSAFE]);
});

test("photos that somebody else has changed meanwhile are not written over", async () => {
  const id = await threePhotos();
  const seen = await find(id);
  const [a = "", b = "", c = ""] = seen.photos.map(({ url }) => url);
  await photosAt(id, pressed(seen, "remove:0"));
  const { status, data } = await photosAt(id, pressed(seen, "save", ["A", "Goal", "C"]));
  expect([status, data]).toMatchObject([
    409,
    {
      values: { [a]: "A", [b]: "Goal", [c]: "C" },
      conflict: {
        version: 2,
        differences: [
          { label: "Photo 1", theirs: "B", yours: "A (only here)" },
          { label: "Photo 2", theirs: "C", yours: "Goal" },
          { label: "Photo 3", theirs: "none", yours: "C" },
        ],
      },
    },
  ]);
  expect((await find(id)).photos.map(({ alt }) => alt)).toEqual(["B", "C"]);
});
