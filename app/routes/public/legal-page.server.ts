import { data } from "react-router";
import { findLegalPage, type LegalPageType } from "#app/features/legal/legal-pages.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { App } from "#app/routes/context.server.ts";

/** The stored text, or null with a 500: the page then says that it failed. */
export async function loadLegalPage({ db }: App, type: LegalPageType) {
  try {
    const page = await findLegalPage(db, type);
    if (page) return data(page);
    log.error({ type }, "no legal page is stored");
  } catch (error) {
    log.error({ err: error, type }, "loading a legal page");
  }
  return data(null, { status: 500 });
}
