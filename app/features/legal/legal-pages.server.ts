import { readFileSync } from "node:fs";
import path from "node:path";
import { recordAudit } from "#app/platform/audit.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { helsinkiDate } from "#app/platform/clock.ts";
import { projectRoot } from "#app/platform/root.server.ts";
import { adoptComingPage, findComingPage } from "./coming-pages.server.ts";
import type { LegalInput } from "./input.ts";
import { type LegalPageType, lockPage } from "./lock-page.server.ts";

export type { LegalPageType };

/** The text that holds at this moment, and the one that is to hold from a day on. */
export async function findLegalPage(db: Db, type: LegalPageType, now: Date) {
  const found = db.selectFrom("legal_pages").select(["title", "content"]);
  const [page, coming] = await Promise.all([
    found.where("page_type", "=", type).executeTakeFirst(),
    findComingPage(db, type),
  ]);
  if (!page) return null;
  if (!coming) return { ...page, coming: null };
  const { title, content, holdsFrom } = coming;
  // By the date alone: the job that stores it may be late.
  if (holdsFrom <= helsinkiDate(now)) return { title, content, coming: null };
  return { ...page, coming: { title, content, holdsFrom } };
}

export async function listLegalPages(db: Db) {
  return pages(db).orderBy("page_type").execute();
}

export async function findStoredPage(db: Db, type: LegalPageType) {
  return (await pages(db).where("page_type", "=", type).executeTakeFirst()) ?? null;
}

export type StoredLegalPage = Awaited<ReturnType<typeof listLegalPages>>[number];

/** Selects what editors see; `savedBy` is null for a default text or a change in the database. */
const pages = (db: Db) =>
  db
    .selectFrom("legal_pages")
    .leftJoin("users", "users.id", "saved_by")
    .select(["page_type as type", "title", "content", "version"])
    .select(["legal_pages.updated_at as savedAt", "users.name as savedBy"]);

export async function listLegalVersions(
  db: Db,
  { type, before, limit }: { type: LegalPageType; before: number | null; limit: number },
) {
  const all = versions(db, type);
  const wanted = before === null ? all : all.where("version", "<", before);
  return wanted.orderBy("version", "desc").limit(limit).execute();
}

export async function findLegalVersion(
  db: Db,
  { type, version }: { type: LegalPageType; version: number },
) {
  const found = versions(db, type).select("content").where("version", "=", version);
  return (await found.executeTakeFirst()) ?? null;
}

const versions = (db: Db, type: LegalPageType) =>
  db
    .selectFrom("legal_page_versions")
    .leftJoin("users", "users.id", "saved_by")
    .select(["version", "title", "saved_at as savedAt", "users.name as savedBy"])
    .where("page_type", "=", type);

const DONE = { ok: true } as const;

/** "changed" where another text was saved since `version`. Throws where no text is stored. */
export async function editLegalPage(
  db: Db,
  edit: { type: LegalPageType; version: number; input: LegalInput; actor: string; now: Date },
) {
  const { type, version, actor, now } = edit;
  const { title, content } = edit.input;
  return db.transaction().execute(async (tx) => {
    await lockPage(tx, type);
    await adoptComingPage(tx, type, now);
    const current = await lockPage(tx, type);
    if (current.title === title && current.content === content) return DONE;
    if (current.version !== version) return { ok: false, reason: "changed", current } as const;
    await tx.insertInto("legal_page_versions").values(current).execute();
    const after = await tx
      .updateTable("legal_pages")
      .set({ title, content, saved_by: actor, updated_at: now })
      .where("page_type", "=", type)
      .returning(["version", "title"])
      .executeTakeFirstOrThrow();
    // Without the texts, which legal_page_versions keeps.
    const details = { before: { version, title: current.title }, after };
    await recordAudit(tx, { actor, action: "legal.edit", subject: type, details });
    return DONE;
  });
}

const FOLDER = path.join(projectRoot, "app", "features", "legal");

/** Stores `terms.txt` and `privacy.txt` if no legal texts are stored yet, with `values` in place of
 * their {names}. Throws if a name has no value. */
export async function storeDefaultTexts(db: Db, values: Record<string, string>): Promise<void> {
  const textOf = (type: LegalPageType) => {
    const text = readFileSync(path.join(FOLDER, `${type}.txt`), "utf8").trim();
    return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      if (values[name] === undefined) throw new Error(`${type}.txt: ${name} is not given`);
      return values[name];
    });
  };
  await db
    .insertInto("legal_pages")
    .values([
      { page_type: "terms", title: "Terms & Conditions", content: textOf("terms") },
      { page_type: "privacy", title: "Privacy Policy", content: textOf("privacy") },
    ])
    .onConflict((conflict) => conflict.column("page_type").doNothing())
    .execute();
}
