import { afterEach, beforeEach, expect, test } from "vitest";
import { runScript } from "#test/commands.ts";
import { openTestBucket, openTestFolder, type TestStorage } from "#test/storages.ts";
import { openFiles, readWholeFile } from "#app/platform/files.server.ts";

const NAMES = ["a-128", "a-512", "b-128", "b-512", "c-512"].map((name) => `avatars/${name}.webp`);

let folder: TestStorage;
let bucket: Awaited<ReturnType<typeof openTestBucket>>;
beforeEach(async () => {
  folder = await openTestFolder();
  bucket = await openTestBucket();
  for (const name of NAMES) await openFiles(folder.env).store(name, Buffer.from(`of ${name}`));
});
afterEach(() => Promise.all([folder.close(), bucket.close()]));

async function move(args: string[] = [], more: Record<string, string> = {}) {
  const { endpoint, name, region, accessKeyId, secretAccessKey } = bucket.env.bucket!;
  const env = {
    DATA_DIR: folder.env.dataDir,
    S3_ENDPOINT: endpoint,
    S3_BUCKET: name,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
    ...more,
  };
  return runScript("files-move.ts", args, { env });
}

test("every file is copied once, and stays in the folder until it is to be deleted", async () => {
  const first = "5 files copied to pictures, 5 are in the folder\n";
  expect(await move()).toEqual({ code: 0, out: first, problems: "" });
  expect([await bucket.names(), await folder.names()]).toEqual([NAMES, NAMES]);
  const copy = await readWholeFile(openFiles(bucket.env), NAMES[0]!);
  expect(copy?.toString()).toBe(`of ${NAMES[0]}`);
  const again = "0 files copied to pictures, 5 are in the folder\n";
  const out = `${again}5 files deleted from the folder\n`;
  expect(await move(["--delete"])).toEqual({ code: 0, out, problems: "" });
  expect([await bucket.names(), await folder.names()]).toEqual([NAMES, []]);
});

test("half a copy is copied again, and what the bucket does not have is never deleted", async () => {
  await openFiles(bucket.env).store(NAMES[0]!, Buffer.from("half"));
  expect((await move()).out).toMatch(/^5 files copied/);
  bucket.server.state.mood = "away";
  const away = await move(["--delete"]);
  expect(away).toMatchObject({ code: 1, out: "", problems: expect.stringContaining("503") });
  expect(await folder.names()).toEqual(NAMES);
});

test("it says what is not set, and never a secret", async () => {
  const none = ["ENDPOINT", "BUCKET", "REGION", "ACCESS_KEY_ID", "SECRET_ACCESS_KEY"];
  const unset = Object.fromEntries(none.map((name) => [`S3_${name}`, ""]));
  expect(await move([], unset)).toMatchObject({ code: 1, problems: /^Set S3_ENDPOINT/ });
  const wrong = await move([], { S3_SECRET_ACCESS_KEY: "hunter9" });
  expect(wrong).toMatchObject({ code: 1, problems: expect.stringContaining("403") });
  expect(wrong.problems).not.toContain("hunter9");
});
