import "./load-env.ts";
import { readFilesEnv } from "#app/platform/env.server.ts";
import { openFiles, readWholeFile } from "#app/platform/files.server.ts";
import { readOptions } from "./arguments.ts";
import { fail, say } from "./command.ts";

const { values } = readOptions("npm run files:move -- [--delete]", {
  options: { delete: { type: "boolean", default: false } },
});

await moveFiles().catch(fail);

/** Copies first: until it is restarted, a process serves from the folder. */
async function moveFiles() {
  const { dataDir, bucket } = readFilesEnv();
  if (!bucket) throw new Error("Set S3_ENDPOINT and the other S3_ variables first");
  const [folder, remote] = [openFiles({ dataDir, bucket: null }), openFiles({ dataDir, bucket })];
  const missing = await listMissing();
  for (const { name } of missing) {
    const bytes = await readWholeFile(folder, name);
    if (bytes) await remote.store(name, bytes);
  }
  const all = await folder.list();
  say(`${missing.length} files copied to ${bucket.name}, ${all.length} are in the folder`);
  if (!values.delete) return;
  const kept = new Set((await listMissing()).map(({ name }) => name));
  const copied = all.filter(({ name }) => !kept.has(name));
  for (const { name } of copied) await folder.remove(name);
  say(`${copied.length} files deleted from the folder`);

  async function listMissing() {
    const sizes = new Map((await remote.list()).map(({ name, size }) => [name, size]));
    return (await folder.list()).filter(({ name, size }) => sizes.get(name) !== size);
  }
}
