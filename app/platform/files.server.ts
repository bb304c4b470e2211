import path from "node:path";
import { openBucket } from "./bucket.server.ts";
import type { Env } from "./env.server.ts";
import { openFolder } from "./folder.server.ts";

const NAME = /^[a-z]{1,40}\/[a-z0-9-]{1,80}\.(?:webp|avif)$/;
const TYPES: Record<string, string> = { webp: "image/webp", avif: "image/avif" };
const PREFIX = "/files/";
/** Has the mark of the database whose rows name these files. Not a name of a file, so never served. */
export const OWNER = "owner.txt";
const OWNER_TYPE = "text/plain";

/** Throws an Error if the folder or the bucket fails. Does not check names. */
interface Storage {
  write(name: string, bytes: Buffer, type: string): Promise<void>;
  /** The caller must read or cancel the body. */
  read(
    name: string,
    type: string,
  ): Promise<{ body: ReadableStream<Uint8Array>; size: number } | null>;
  /** Removing a missing file is no error. */
  remove(name: string): Promise<void>;
  list(): Promise<Listed[]>;
}

interface Listed {
  name: string;
  size: number;
  changedAt: Date;
}

export type Files = ReturnType<typeof openFiles>;

export function openFiles({ dataDir, bucket }: Pick<Env, "dataDir" | "bucket">) {
  const storage: Storage = bucket ? openBucket(bucket) : openFolder(path.join(dataDir, "uploads"));
  return {
    /** A stored file never changes: a new version gets a new name. */
    async store(name: string, bytes: Buffer): Promise<void> {
      if (!NAME.test(name)) throw new Error(`no name for a file: ${name}`);
      await storage.write(name, bytes, typeOf(name));
    },
    async read(name: string) {
      const found = NAME.test(name) ? await storage.read(name, typeOf(name)) : null;
      return found && { ...found, type: typeOf(name) };
    },
    async remove(name: string): Promise<void> {
      if (NAME.test(name)) await storage.remove(name);
    },
    async list(before?: Date): Promise<Listed[]> {
      const isOld = ({ changedAt }: Listed) => !before || changedAt < before;
      return (await storage.list()).filter((file) => NAME.test(file.name) && isOld(file));
    },
    async findOwner(): Promise<string | null> {
      const found = await storage.read(OWNER, OWNER_TYPE);
      return found && new Response(found.body).text();
    },
    /** Leaves one of several at once: read it again before relying on it. */
    async claim(mark: string): Promise<void> {
      await storage.write(OWNER, Buffer.from(mark), OWNER_TYPE).catch((error) => {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      });
    },
  };
}

export async function readWholeFile(files: Files, name: string): Promise<Buffer | null> {
  const found = await files.read(name);
  return found && Buffer.from(await new Response(found.body).arrayBuffer());
}

export function fileUrl(name: string): string {
  return PREFIX + name;
}

export function fileName(url: string | null): string | null {
  const name = url?.startsWith(PREFIX) ? url.slice(PREFIX.length) : "";
  return NAME.test(name) ? name : null;
}

// A name has only one dot, so none leads out of the folder.
function typeOf(name: string): string {
  return TYPES[path.extname(name).slice(1)]!;
}
