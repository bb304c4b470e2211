import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { type Pack, selectPacks, toPack } from "./packs.server.ts";

/** A pack with its version, which counts its edits. */
export interface DeskPack extends Pack {
  version: number;
}

/** Locks a pack for an edit; null where there is none. */
export async function lockPack(tx: Tx, packId: string): Promise<DeskPack | null> {
  if (!isId(packId)) return null;
  return read(await deskPacks(tx).where("id", "=", packId).forUpdate().executeTakeFirst());
}

/** A pack as its form shows it; null where there is none. */
export async function findDeskPack(db: Db, packId: string | undefined): Promise<DeskPack | null> {
  if (!isId(packId)) return null;
  return read(await deskPacks(db).where("id", "=", packId).executeTakeFirst());
}

function deskPacks(db: Db | Tx) {
  return selectPacks(db).select("version");
}

type Row = Awaited<ReturnType<ReturnType<typeof deskPacks>["executeTakeFirst"]>>;

function read(row: Row): DeskPack | null {
  return row ? { ...toPack(row), version: row.version } : null;
}
