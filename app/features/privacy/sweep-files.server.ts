import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import { fileName, fileUrl, listStoredFiles, removeFile } from "#app/platform/files.server.ts";
import { log } from "#app/platform/log.server.ts";

/** A file is stored before the row that names it: younger ones may still get theirs. */
const GRACE_MS = 86_400_000;

/**
 * Deletes the uploaded files that no row names, such as those of a process that died between file
 * and row. Answers how many; one that cannot be deleted does not keep the others. A file gets its row within seconds or never, so that what is older
 * than a day is not about to.
 */
export async function sweepFiles(db: Db, dataDir: string, now: Date): Promise<number> {
  const old = await listStoredFiles(dataDir, new Date(now.getTime() - GRACE_MS));
  if (old.length === 0) return 0;
  const kept = await listNamed(db);
  // More likely a database that is not the files' own, or not restored yet, than all of them lost.
  if (kept.size === 0) return 0;
  const left = old.filter((name) => !kept.has(withoutSize(name)));
  let swept = 0;
  for (const name of left) {
    await removeFile(dataDir, name).then(
      () => (swept += 1),
      (error) => log.error({ err: error, name }, "file not swept"),
    );
  }
  return swept;
}

/** Every column that may hold an address of a stored file. */
async function listNamed(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ url: string }>`
    select url from (
      select profile_picture_url as url from profiles
      union all select logo_url from partners
      union all select unnest(photo_urls) from venues
    ) files where starts_with(url, ${fileUrl("")})`.execute(db);
  return new Set(rows.map(({ url }) => withoutSize(fileName(url) ?? "")));
}

/** A row names one size of a picture and means all of them, in each format. */
function withoutSize(name: string): string {
  return name.replace(/(-\d+)?\.(webp|avif)$/, "");
}
