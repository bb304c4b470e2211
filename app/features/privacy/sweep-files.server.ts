import { log } from "#app/platform/log.server.ts";
import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import { fileName, type Files, fileUrl } from "#app/platform/files.server.ts";
import { readMark } from "#app/platform/upload-owner.server.ts";

/** Files are stored before the row that names them, which follows within seconds or never. */
const GRACE_MS = 86_400_000;

export async function sweepFiles(db: Db, files: Files, now: Date): Promise<number> {
  const [mark, owner] = await Promise.all([readMark(db), files.findOwner()]);
  if (owner !== null && owner !== mark) throw new Error(OTHERS);
  const old = await files.list(new Date(now.getTime() - GRACE_MS));
  const kept = await listNamed(db);
  // More likely the wrong or an unrestored database than that all rows are gone.
  if (kept.size === 0 && old.length > 0) return 0;
  // Another database may do so at this moment: the next sweep reads which of them it was.
  if (owner === null) return files.claim(mark).then(() => 0);
  const left = old.filter(({ name }) => !kept.has(withoutSize(name)));
  let swept = 0;
  for (const { name } of left) {
    await files.remove(name).then(
      () => (swept += 1),
      (error) => log.error({ err: error, name }, "file not swept"),
    );
  }
  return swept;
}

const OTHERS =
  "The uploads are another database's, by its mark in owner.txt: none is deleted (docs/operations.md, Uploads)";

async function listNamed(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ url: string }>`
    select url from (
      select profile_picture_url as url from profiles
      union all select logo_url from partners
      union all select unnest(photo_urls) from venues
    ) files where starts_with(url, ${fileUrl("")})`.execute(db);
  return new Set(rows.map(({ url }) => withoutSize(fileName(url) ?? "")));
}

// A row names one size of a picture for all of them, in each format.
function withoutSize(name: string): string {
  return name.replace(/(-\d+)?\.(webp|avif)$/, "");
}
