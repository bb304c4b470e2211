import { inspect } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startBucketServer } from "#test/bucket-server.ts";
import { BucketError, openBucket } from "./bucket.server.ts";
import { hadOutage, withinRequest } from "./postgres/database-time.server.ts";

const NAME = "avatars/0a1b-512.webp";
const PICTURE = Buffer.from("picture");

let server: Awaited<ReturnType<typeof startBucketServer>>;
beforeEach(async () => {
  server = await startBucketServer();
});
afterEach(() => server.close());
const open = (change = {}) => openBucket({ ...server.bucket, ...change }, 50);
const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

test("a request that is not signed with our secret is rejected, and an error names no key", async () => {
  const wrong = open({ secretAccessKey: "hunter9" });
  for (const call of [
    () => wrong.write(NAME, PICTURE, "image/webp"),
    () => wrong.read(NAME, "image/webp"),
    () => wrong.remove(NAME),
    () => wrong.list(),
  ]) {
    const error = await caught(call());
    expect(error).toBeInstanceOf(BucketError);
    expect(String(error)).toContain("403 SignatureDoesNotMatch");
    expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/hunter|TESTKEY/);
  }
  expect(server.objects.size).toBe(0);
});

test("a file has its type in the bucket too", async () => {
  await open().write(NAME, PICTURE, "image/webp");
  expect(server.objects.get(NAME)).toMatchObject({ type: "image/webp", bytes: PICTURE });
});

// The first is AWS's, the second MinIO's and the last Garage's.
test.each([
  ["the region 'x' is wrong; expecting 'eu-north-1'", "<Region>eu-north-1</Region>"],
  ["the region is wrong; expecting 'eu-north-1'", ""],
  [
    "unexpected scope: 20260101/x/s3/aws4_request, expected: 20260101/eu-north-1/s3/aws4_request",
    "",
  ],
])("a bucket of another region says which: %s", async (message, extra) => {
  Object.assign(server.state, {
    mood: "elsewhere",
    details: `<Message>${message}</Message>${extra}`,
  });
  const other = open();
  for (const call of [
    () => other.write(NAME, PICTURE, "image/webp"),
    () => other.read(NAME, "image/webp"),
    () => other.list(),
  ]) {
    const error = await caught(call());
    expect(String(error)).toMatch(/AuthorizationHeaderMalformed: set S3_REGION=eu-north-1$/);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/hunter|TESTKEY/);
  }
});

test("a bucket that is not there is named so", async () => {
  const other = open({ name: "elsewhere" });
  expect(String(await caught(other.list()))).toContain("there is no such bucket");
  expect(String(await caught(other.write(NAME, PICTURE, "image/webp")))).toContain("NoSuchBucket");
});

test.each([
  ["silent", "did not answer in time"],
  ["away", "503"],
  ["moved", "cannot be reached"],
] as const)("%s: nothing waits for long, and it counts as an outage", async (mood, message) => {
  server.state.mood = mood;
  const [error, isOutage] = await withinRequest(async () => [
    await caught(open().read(NAME, "image/webp")),
    hadOutage(),
  ]);
  expect(error).toBeInstanceOf(BucketError);
  expect([String(error), isOutage]).toEqual([expect.stringContaining(message), true]);
});

test.each(["gateway", "unmeasured"] as const)(
  "%s: what is not as it was stored is an outage, and no picture",
  async (mood) => {
    await open().write(NAME, PICTURE, "image/webp");
    server.state.mood = mood;
    await withinRequest(async () => {
      const error = await caught(open().read(NAME, "image/webp"));
      expect(String(error)).toContain("something else than a file of ours");
      expect(hadOutage()).toBe(true);
    });
  },
);

test("what is wrong with our configuration is no outage", async () => {
  const wrong = open({ secretAccessKey: "hunter9" });
  await withinRequest(async () => {
    await caught(wrong.read(NAME, "image/webp"));
    expect(hadOutage()).toBe(false);
  });
});

test("after an outage the same request does not ask again, the next one does", async () => {
  server.state.mood = "silent";
  await withinRequest(async () => {
    expect(await caught(open().write(NAME, PICTURE, "image/webp"))).toBeInstanceOf(BucketError);
    expect(await caught(open().remove(NAME))).toBeInstanceOf(BucketError);
  });
  expect(server.state.requests).toBe(1);
  server.state.mood = "well";
  await withinRequest(() => open().write(NAME, PICTURE, "image/webp"));
  expect(server.objects.size).toBe(1);
});

test("a body that stops is an error, not a shorter file", async () => {
  await open().write(NAME, PICTURE, "image/webp");
  server.state.mood = "half";
  const found = await open().read(NAME, "image/webp");
  expect(found?.size).toBe(PICTURE.length);
  const error = await caught(new Response(found!.body).text());
  expect(String(error)).toContain("did not answer in time");
});

test("a server that is not there is an error of ours", async () => {
  const nobody = open({ endpoint: "http://127.0.0.1:1" });
  expect(await caught(nobody.read(NAME, "image/webp"))).toBeInstanceOf(BucketError);
});
