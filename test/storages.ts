import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Env } from "#app/platform/env.server.ts";
import { openFiles } from "#app/platform/files.server.ts";
import { startBucketServer } from "./bucket-server.ts";

/** Where uploads may be. A test for all of them is `describe.each(STORAGES)`. */
export const STORAGES = [
  { place: "a folder", open: openTestFolder },
  { place: "a bucket", open: openTestBucket },
];

export interface TestStorage {
  env: Pick<Env, "dataDir" | "bucket">;
  /** Makes a stored file look as old as that. */
  setAge(name: string, changedAt: Date): void;
  names(): Promise<string[]>;
  /** From now on nothing can be stored. */
  takeNothing(): Promise<void>;
  close(): Promise<void>;
}

export async function openTestFolder(): Promise<TestStorage> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "kickabout-uploads-"));
  return {
    ...opened({ dataDir, bucket: null }),
    setAge: (name, at) => utimesSync(path.join(dataDir, "uploads", name), at, at),
    async takeNothing() {
      rmSync(path.join(dataDir, "uploads"), { recursive: true });
      writeFileSync(path.join(dataDir, "uploads"), "no folder");
    },
    close: async () => rmSync(dataDir, { recursive: true }),
  };
}

type BucketServer = Awaited<ReturnType<typeof startBucketServer>>;

export async function openTestBucket(): Promise<TestStorage & { server: BucketServer }> {
  const server = await startBucketServer();
  return {
    ...opened({ dataDir: "/nowhere", bucket: server.bucket }),
    server,
    setAge(name: string, changedAt: Date) {
      server.objects.get(name)!.changedAt = changedAt;
    },
    async takeNothing() {
      server.state.mood = "away";
    },
    close: server.close,
  };
}

function opened(env: TestStorage["env"]) {
  const names = async () => (await openFiles(env).list()).map(({ name }) => name).toSorted();
  return { env, names };
}
