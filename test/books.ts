import { expect } from "vitest";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import type { Db } from "#app/platform/db.server.ts";

/** Fails where a wallet, its lots or its payments do not add up. */
export async function expectRightBooks({ db }: { db: Db }): Promise<void> {
  expect((await checkBooks(db)).differences).toEqual([]);
}
