import { createHash, randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile, readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { createTransport } from "nodemailer";
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { Db } from "./db.server.ts";
import type { Env } from "./env.server.ts";
import { MailError, readMailError, watchOutages } from "./mail-outage.server.ts";
import { mails } from "./observability/metrics.server.ts";
import PostalMime from "postal-mime";
import { namingFullDisk } from "./full-disk.server.ts";
import { plainTextReader } from "./plain-text.server.ts";

export interface MailContent {
  subject: string;
  html: string;
  text: string;
}
export interface Mail extends MailContent {
  /** The same key gives the same Message-ID. */
  key: string;
  to: string;
  replyTo?: string;
  /** Earlier emails of its thread, the oldest first: keys of ours, or a Message-ID in brackets. */
  thread?: string[];
  attachments?: { filename: string; content: string; contentType: string }[];
  headers?: Record<string, string>;
}

// In sum below the job's timeout (jobs.server.ts), or two attempts would overlap.
const TIMEOUTS = { connectionTimeout: 30_000, greetingTimeout: 15_000, socketTimeout: 20_000 };

export type Mailer = (mail: Mail) => Promise<void>;

/** By SMTP where SMTP_URL is set, otherwise into `<dataDir>/outbox/*.eml`. Throws MailError. */
export function createMailer(
  env: Pick<Env, "smtpUrl" | "mailFrom" | "dataDir" | "appUrl">,
  db?: Db,
): Mailer {
  const counted = countResults(createSender(env));
  const send = db ? watchOutages(db, counted) : counted;
  // The address of a deleted account (RFC 2606: .invalid).
  return async (mail) => (mail.to.endsWith(".invalid") ? undefined : send(mail));
}

function countResults(send: Mailer): Mailer {
  return async (mail) => {
    try {
      await send(mail);
      mails.inc({ result: "sent" });
    } catch (error) {
      mails.inc({ result: error instanceof MailError ? error.failure : "error" });
      throw error;
    }
  };
}

function createSender(env: Parameters<typeof createMailer>[0]): Mailer {
  const host = new URL(env.appUrl).hostname;
  const messageId = (key: string) => (key.startsWith("<") ? key : `<${digest(key)}@${host}>`);
  const compose = ({ key, headers, thread = [], ...mail }: Mail) => ({
    ...mail,
    from: env.mailFrom,
    messageId: messageId(key),
    ...(thread.length > 0 && threadHeaders(thread.map(messageId))),
    // Prevents out-of-office replies (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated", ...headers },
  });
  if (env.smtpUrl) {
    const transport = createTransport({ url: encrypted(env.smtpUrl), ...TIMEOUTS });
    return async (mail) => {
      const sent: Promise<unknown> = transport.sendMail(compose(mail));
      await sent.catch((error: unknown) => {
        throw readMailError(error);
      });
    };
  }
  const transport = createTransport({ streamTransport: true, buffer: true });
  return async (mail) => {
    const { message } = await transport.sendMail(compose(mail));
    await writeToOutbox(env.dataDir, `${digest(mail.key)}.eml`, message as Buffer);
  };
}

/** RFC 5322, 3.6.4. Of a long thread the first and the last ones. */
function threadHeaders(ids: string[]) {
  const references = ids.length > 20 ? [ids[0]!, ...ids.slice(-19)] : ids;
  return { references, inReplyTo: ids.at(-1)! };
}

/** TLS unless local: mails contain sign-in links. `?ignoreTLS=true` is for private networks. */
export function encrypted(smtpUrl: string): string {
  const url = new URL(smtpUrl);
  const isHere = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/.test(url.hostname);
  const isExplicit = url.searchParams.has("requireTLS") || url.searchParams.has("ignoreTLS");
  if (!isHere && !isExplicit) url.searchParams.set("requireTLS", "true");
  return url.href;
}

// Renamed into place: readers of the folder never see half a mail.
async function writeToOutbox(dataDir: string, name: string, message: Buffer) {
  const folder = path.join(dataDir, "outbox");
  await mkdir(folder, { recursive: true });
  const draft = path.join(folder, `.${name}.${randomUUID()}`);
  try {
    await namingFullDisk(folder, writeFile(draft, message));
    await rename(draft, path.join(folder, name));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

function digest(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 32);
}

/** Cells that are read in one line. */
const ROWS = [
  { selector: "tr.row-in-text", format: "block" },
  { selector: "td.in-text", format: "inline" },
];

const toPlainText = plainTextReader(ROWS);

const DOCTYPE =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">';

export async function renderMail(subject: string, mail: ReactElement): Promise<MailContent> {
  const html = DOCTYPE + renderToStaticMarkup(mail);
  return { subject, html, text: toPlainText(html) };
}

const MAILS_SHOWN = 50;

export async function listOutbox(dataDir: string) {
  const folder = path.join(dataDir, "outbox");
  const names = await readdir(folder).catch(() => []);
  const files = await Promise.all(
    names
      .filter((name) => name.endsWith(".eml") && !name.startsWith("."))
      .map(async (name) => ({ name, writtenAt: (await stat(path.join(folder, name))).mtime })),
  );
  const newest = files.sort((a, b) => b.writtenAt.getTime() - a.writtenAt.getTime());
  return Promise.all(newest.slice(0, MAILS_SHOWN).map((file) => read(folder, file)));
}

async function read(folder: string, file: { name: string; writtenAt: Date }) {
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
