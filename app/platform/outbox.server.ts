import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import PostalMime from "postal-mime";

export interface OutboxMail {
  id: string;
  to: string;
  subject: string;
  text: string;
  /** The mail's first link, which is its action. */
  action: string | null;
  writtenAt: Date;
}

const SHOWN = 50;

/** The newest mails that went to the outbox folder instead of out, newest first. */
export async function listOutbox(dataDir: string): Promise<OutboxMail[]> {
  const folder = path.join(dataDir, "outbox");
  const names = await readdir(folder).catch(() => []);
  const files = await Promise.all(
    names
      .filter((name) => name.endsWith(".eml") && !name.startsWith("."))
      .map(async (name) => ({ name, writtenAt: (await stat(path.join(folder, name))).mtime })),
  );
  const newest = files.sort((a, b) => b.writtenAt.getTime() - a.writtenAt.getTime());
  return Promise.all(newest.slice(0, SHOWN).map((file) => read(folder, file)));
}

async function read(folder: string, file: { name: string; writtenAt: Date }): Promise<OutboxMail> {
  const mail = await PostalMime.parse(await readFile(path.join(folder, file.name)));
  return {
    id: file.name.replace(/\.eml$/, ""),
    to: mail.to?.map((to) => to.address).join(", ") ?? "",
    subject: mail.subject ?? "",
    text: mail.text ?? "",
    action: /href="(https?:[^"]+)"/.exec(mail.html ?? "")?.[1]?.replaceAll("&amp;", "&") ?? null,
    writtenAt: file.writtenAt,
  };
}
