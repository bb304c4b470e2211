import { expect, test } from "vitest";
import { aVenue } from "#test/fixtures.ts";
import { stripes } from "#test/pictures.ts";
import { openTestBucket } from "#test/storages.ts";
import { useAdmin } from "#test/use-admin.ts";
import { findAdminVenue } from "#app/features/venues/admin-venues.server.ts";
import * as photos from "./photos.tsx";

const admin = useAdmin();

test("while the bucket does not answer no photo is added, and the page says so in time", async () => {
  const venueId = await aVenue(admin.app.db);
  const storage = await openTestBucket();
  const app = { ...admin.app, env: { ...admin.app.env, ...storage.env } };
  const path = `/admin/venues/${venueId}/photos`;
  const jpeg = new Uint8Array(await stripes(64, 36).jpeg().toBuffer());
  const body = new FormData();
  body.append("intent", "upload");
  body.append("photos", new File([jpeg], "goal.jpg", { type: "image/jpeg" }));
  storage.server.state.mood = "silent";
  const { status, data } = await admin.visit(photos.action, { path, body }, app);
  expect([status, data]).toMatchObject([503, { title: "Failed to add photos" }]);
  expect((await findAdminVenue(app.db, venueId))?.photos).toEqual([]);
  // Neither the other sizes nor their removal are tried.
  expect(storage.server.state.requests).toBe(1);
  storage.server.state.mood = "well";
  expect((await admin.visit(photos.action, { path, body }, app)).status).toBe(302);
  expect(await storage.names()).toHaveLength(7);
  await storage.close();
});
