import { expect, test } from "vitest";
import { cleanedUploads, invalidUploads, stripes } from "#test/pictures.ts";
import { useProfilePage } from "#test/profile-page.ts";
import { openTestBucket } from "#test/storages.ts";
import { PICTURE_MAX_BYTES } from "#app/features/players/rules.ts";

const page = useProfilePage();

const upload = (bytes: Buffer, name = "me.jpg", fields: Record<string, string> = {}) => {
  const form = new FormData();
  for (const [key, value] of Object.entries({ intent: "picture", ...fields })) {
    form.set(key, value);
  }
  form.set("picture", new File([new Uint8Array(bytes)], name, { type: "image/jpeg" }));
  return form;
};
const FAILED = "Failed to upload profile picture. Please try again.";
const NO_PICTURE = "Please select a JPG or PNG image";

// spec: 8.31
test("a picture is stored, shown, and removed", async () => {
  const { status, headers } = await page.post(upload(await stripes().jpeg().toBuffer()));
  expect([status, headers.get("Location")]).toEqual([302, "/profile"]);
  expect((await page.toastOf(headers))?.title).toBe("Profile picture updated successfully");
  expect((await page.open()).profilePictureUrl).toMatch(/^\/files\/avatars\//);
  expect((await page.post({ intent: "remove-picture" })).status).toBe(302);
  expect((await page.open()).profilePictureUrl).toBeNull();
});

// spec: 5.14, 9.28
test("the name and its declared type count for nothing", async () => {
  const png = await stripes().png().toBuffer();
  expect((await page.post(upload(png, "../../../etc/passwd.php"))).status).toBe(302);
  const gif = await stripes().gif().toBuffer();
  expect(await page.post(upload(gif, "me.jpg"))).toMatchObject({
    status: 422,
    result: { form: "picture", title: FAILED, fieldErrors: { picture: NO_PICTURE } },
  });
});

test("every hostile file is rejected or cleaned", async () => {
  for (const { what, bytes } of await invalidUploads()) {
    const { status, result } = await page.post(upload(bytes, "me.png"));
    expect.soft([status, result?.title], what).toEqual([422, FAILED]);
  }
  expect((await page.open()).profilePictureUrl).toBeNull();
  for (const { what, bytes } of await cleanedUploads()) {
    expect.soft((await page.post(upload(bytes))).status, what).toBe(302);
  }
});

// spec: 5.13, 9.28
test("five megabytes at most", async () => {
  const large = Buffer.concat([await stripes().jpeg().toBuffer(), Buffer.alloc(PICTURE_MAX_BYTES)]);
  expect(await page.post(upload(large))).toMatchObject({
    status: 413,
    result: { fieldErrors: { picture: "Image must be smaller than 5MB" } },
  });
});

test.each([
  ["without a file", { intent: "picture" }],
  ["a text instead of a file", { intent: "picture", picture: "x" }],
])("%s", async (_, fields) => {
  expect(await page.post(fields)).toMatchObject({
    status: 422,
    result: { fieldErrors: { picture: NO_PICTURE } },
  });
});

test("an invalid crop takes the middle of the picture", async () => {
  const bytes = await stripes().jpeg().toBuffer();
  for (const cropX of ["", "NaN", "-5", "1e3", "101", "x"]) {
    const crop = { cropX, cropY: "0", cropWidth: "50" };
    expect((await page.post(upload(bytes, "me.jpg", crop))).status).toBe(302);
  }
  const none = { cropX: "0", cropY: "0", cropWidth: "0" };
  expect((await page.post(upload(bytes, "me.jpg", none))).status).toBe(302);
});

// spec: 8.30
test("when it cannot be stored, the page says so", async () => {
  const bytes = await stripes().jpeg().toBuffer();
  expect(await page.post(upload(bytes), page.broken())).toMatchObject({
    status: 500,
    result: { title: FAILED },
  });
});

test("while the bucket does not answer the page says so in time, and the picture stays", async () => {
  const storage = await openTestBucket();
  const app = { ...page.app, env: { ...page.app.env, ...storage.env } };
  const bytes = await stripes().jpeg().toBuffer();
  expect((await page.post(upload(bytes), app)).status).toBe(302);
  const before = (await page.open()).profilePictureUrl;
  storage.server.state.mood = "silent";
  const requests = storage.server.state.requests;
  expect(await page.post(upload(bytes), app)).toMatchObject({
    status: 503,
    result: { title: FAILED },
  });
  // Both sizes at once, and nothing to clean up after them.
  expect(storage.server.state.requests - requests).toBe(2);
  expect((await page.open()).profilePictureUrl).toBe(before);
  expect((await page.post({ intent: "remove-picture" }, app)).status).toBe(302);
  expect((await page.open()).profilePictureUrl).toBeNull();
  storage.server.state.mood = "well";
  // Left to the sweep.
  expect(await storage.names()).toHaveLength(2);
  await storage.close();
});
