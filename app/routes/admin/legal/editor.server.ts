import {
  findStoredPage,
  type LegalPageType,
  findLegalVersion,
  listLegalVersions,
} from "#app/features/legal/legal-pages.server.ts";
import { readCursor, writeCursor } from "#app/platform/cursor.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { cancellationWarning, legalPath, savedWords, versionOf } from "./legal-words.ts";

const SHOWN = 50;

/**
 * The text that the editor begins with, the stored one or with `from` a former one, and the former
 * texts. Null where none is stored.
 */
export async function loadEditor({ db }: App, type: LegalPageType, query: URLSearchParams) {
  const [before = null] = readCursor(query.get("before"), 1) ?? [];
  const from = versionOf(query.get("from"));
  const [page, versions, former] = await Promise.all([
    findStoredPage(db, type),
    listLegalVersions(db, { type, before: versionOf(before), limit: SHOWN + 1 }),
    from === null ? null : findLegalVersion(db, { type, version: from }),
  ]);
  if (!page) return null;
  const { title, content } = former ?? page;
  const shown = versions.slice(0, SHOWN);
  const last = versions.length > SHOWN ? shown.at(-1) : undefined;
  return {
    ...{ type, title, content, version: page.version, saved: savedWords(page) },
    /** Whose text the editor holds instead of the stored one. */
    former: former && { version: former.version, saved: savedWords(former) },
    warning: cancellationWarning(type, content),
    versions: shown.map(({ version, title: was, ...saved }) => ({
      ...{ version, title: was, saved: savedWords(saved) },
    })),
    next: last ? `${legalPath(type)}?before=${writeCursor([String(last.version)])}` : null,
    first: before === null ? null : legalPath(type),
  };
}

export type Editor = NonNullable<Awaited<ReturnType<typeof loadEditor>>>;
