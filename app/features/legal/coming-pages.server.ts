import { recordAudit } from "#app/platform/audit.server.ts";
import { helsinkiDate } from "#app/platform/clock.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import type { LegalInput } from "./input.ts";
import { type LegalPageType, lockPage } from "./lock-page.server.ts";

/** `holdsFrom` is Helsinki's date, "YYYY-MM-DD"; `version` counts its edits. */
export async function findComingPage(db: Db, type: LegalPageType) {
  const coming = db
    .selectFrom("coming_legal_pages")
    .leftJoin("users", "users.id", "saved_by")
    .select(["title", "content", "holds_from as holdsFrom", "version"])
    .select(["saved_at as savedAt", "users.name as savedBy"])
    .where("page_type", "=", type);
  return (await coming.executeTakeFirst()) ?? null;
}

export type ComingPage = NonNullable<Awaited<ReturnType<typeof findComingPage>>>;

interface Plan {
  type: LegalPageType;
  /** Of the coming text that the form has shown; 0 where there was none. */
  version: number;
  input: LegalInput & { holdsFrom: string };
  actor: string;
  now: Date;
}

type Planned = { ok: true } | { ok: false; reason: "changed" };

/** "changed" where another coming text was saved, or withdrawn, since `version`. */
export async function planLegalPage(db: Db, { type, version, input, actor, now }: Plan) {
  return db.transaction().execute(async (tx): Promise<Planned> => {
    await lockPage(tx, type);
    await adoptComingPage(tx, type, now);
    const before = await findComingPage(tx, type);
    const { title, content, holdsFrom } = input;
    const isSame =
      before?.title === title && before.content === content && before.holdsFrom === holdsFrom;
    if (isSame) return { ok: true };
    if ((before?.version ?? 0) !== version) return { ok: false, reason: "changed" };
    const text = { title, content, holds_from: holdsFrom, saved_by: actor, saved_at: now };
    await tx
      .insertInto("coming_legal_pages")
      .values({ page_type: type, ...text })
      .onConflict((conflict) => conflict.column("page_type").doUpdateSet(text))
      .execute();
    const after = { title, holdsFrom };
    const details = {
      before: before && { title: before.title, holdsFrom: before.holdsFrom },
      after,
    };
    await recordAudit(tx, { actor, action: "legal.plan", subject: type, details });
    return { ok: true };
  });
}

/** The present text stays. "changed" where it is another one than was shown, or holds by now. */
export async function withdrawComingPage(
  db: Db,
  { type, version, actor, now }: Omit<Plan, "input">,
): Promise<Planned> {
  return db.transaction().execute(async (tx) => {
    await lockPage(tx, type);
    await adoptComingPage(tx, type, now);
    const before = await findComingPage(tx, type);
    if (before?.version !== version) return { ok: false, reason: "changed" };
    await tx.deleteFrom("coming_legal_pages").where("page_type", "=", type).execute();
    const { title, holdsFrom } = before;
    const details = { before: { title, holdsFrom }, after: null };
    await recordAudit(tx, { actor, action: "legal.withdraw", subject: type, details });
    return { ok: true };
  });
}

/** Puts a text whose day has come in the place of the former one, which is kept. Under its lock. */
export async function adoptComingPage(tx: Tx, type: LegalPageType, now: Date): Promise<void> {
  const coming = await tx
    .deleteFrom("coming_legal_pages")
    .where("page_type", "=", type)
    .where("holds_from", "<=", helsinkiDate(now))
    .returning(["title", "content", "saved_by", "saved_at as updated_at"])
    .executeTakeFirst();
  if (!coming) return;
  const former = await lockPage(tx, type);
  await tx.insertInto("legal_page_versions").values(former).execute();
  const after = await tx
    .updateTable("legal_pages")
    .set(coming)
    .where("page_type", "=", type)
    .returning(["version", "title"])
    .executeTakeFirstOrThrow();
  const details = { before: { version: former.version, title: former.title }, after };
  await recordAudit(tx, { actor: "system", action: "legal.edit", subject: type, details });
}

/** Pages read a text by its day at once; this keeps the former one. */
export async function adoptComingPages(db: Db, now: Date): Promise<void> {
  const due = await db
    .selectFrom("coming_legal_pages")
    .select("page_type as type")
    .where("holds_from", "<=", helsinkiDate(now))
    .orderBy("page_type")
    .execute();
  for (const { type } of due) {
    await db.transaction().execute(async (tx) => {
      await lockPage(tx, type);
      await adoptComingPage(tx, type, now);
    });
  }
}
