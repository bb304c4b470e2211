import { createHash } from "node:crypto";
import PostalMime, { type Address, type Attachment } from "postal-mime";
import { plainTextReader } from "./plain-text.server.ts";

const toPlainText = plainTextReader();

export interface InboundMail {
  /** A hash of the Message-ID, or of the whole email where it has none. */
  key: string;
  /** Id by which other emails refer to it; null where they cannot. */
  messageId: string | null;
  from: string | null;
  recipients: string[];
  text: string;
  attachments: number;
  isAutomatic: boolean;
}

/** Null if it is no email. It may be cut off after its text. */
export async function readInboundMail(raw: Uint8Array<ArrayBuffer>): Promise<InboundMail | null> {
  const fixed = asFixed(raw);
  const mail = await PostalMime.parse(fixed.raw, { maxNestingDepth: 20 }).catch(() => null);
  if (!mail?.from) return null;
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value ?? "";
  const text = fixed.flow && mail.text ? unfold(mail.text, fixed.flow) : mail.text;
  const listed = [...(mail.to ?? []), ...(mail.cc ?? [])].flatMap(addressesOf);
  const delivered = [header("delivered-to"), header("x-original-to")];
  return {
    key: createHash("sha256")
      .update(mail.messageId || raw)
      .digest("hex"),
    messageId: MESSAGE_ID.exec(mail.messageId ?? "")?.[0] ?? null,
    from: addressesOf(mail.from)[0] ?? null,
    recipients: [...listed, ...delivered].map((address) => address.trim().toLowerCase()),
    text: text?.trim() ? text : plainText(mail.html ?? ""),
    attachments: mail.attachments.filter((part) => !isInHtml(part, mail.html)).length,
    isAutomatic: !/^(no)?$/i.test(header("auto-submitted")) || /bulk/i.test(header("precedence")),
  };
}

/** A picture of the text itself, such as a logo; Apple Mail sends attached photos inline too. */
function isInHtml({ disposition, contentId }: Attachment, html = ""): boolean {
  const id = contentId?.replace(/^<|>$/g, "");
  if (disposition !== "inline" || !id) return false;
  return [id, encodeURIComponent(id)].some((each) => html.includes(`cid:${each}`));
}

// RFC 5322, 3.6.4, without what is obsolete: it becomes a header of our own emails.
const MESSAGE_ID = /^<[!-;=?A-Z[-~]{1,200}@[!-;=?A-Z[-~]{1,200}>$/;

interface Flow {
  deletesSpace: boolean;
}

/** postal-mime unfolds flowed text before it takes quote marks off, so that words join a quote.
 * `flow` is set where a part was flowed. */
function asFixed(raw: Uint8Array<ArrayBuffer>): { raw: Uint8Array<ArrayBuffer>; flow?: Flow } {
  let [isHeader, isType, isFlowed, deletesSpace] = [true, false, false, false];
  const lines = Buffer.from(raw).toString("latin1").split("\n");
  for (const [index, line] of lines.entries()) {
    if (line.startsWith("--")) [isHeader, isType] = [true, false];
    else if (line === "" || line === "\r") isHeader = false;
    if (!isHeader) continue;
    if (!/^[ \t]/.test(line)) isType = /^content-type[ \t]*:/i.test(line);
    if (!isType) continue;
    if (FLOWED.test(line)) isFlowed = true;
    if (/\bdelsp[ \t]*=[ \t]*"?yes\b/i.test(line)) deletesSpace = true;
    lines[index] = line.replace(FLOWED, "format=fixed");
  }
  if (!isFlowed) return { raw };
  return { raw: Buffer.from(lines.join("\n"), "latin1"), flow: { deletesSpace } };
}

const FLOWED = /\bformat[ \t]*=[ \t]*(?:flowed\b|"flowed")/i;

/** RFC 3676, 4.5: quote depth wins, so a line that flows into another depth is a fixed one. */
function unfold(text: string, { deletesSpace }: Flow): string {
  const lines: { depth: number; text: string; flows: boolean }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const depth = /^>*/.exec(line)![0].length;
    const words = line.slice(depth).replace(/^ /, "");
    const isSignature = words === "-- ";
    const flows = words.endsWith(" ") && !isSignature;
    const last = lines.at(-1);
    if (!last?.flows || last.depth !== depth || isSignature) {
      lines.push({ depth, text: words, flows });
      continue;
    }
    const start = deletesSpace ? last.text.slice(0, -1) : last.text;
    Object.assign(last, { text: start + words, flows });
  }
  return lines.map(({ depth, text: words }) => quoted(depth, words)).join("\n");
}

/** A line that begins with ">" and is no quote keeps the space before it. */
function quoted(depth: number, words: string): string {
  if (depth > 0) return `${">".repeat(depth)} ${words}`;
  return words.startsWith(">") ? ` ${words}` : words;
}

function addressesOf(address: Address): string[] {
  return address.group ? address.group.map((each) => each.address) : [address.address ?? ""];
}

function plainText(html: string): string {
  try {
    return toPlainText(html);
  } catch {
    // Nested too deeply to be read.
    return "";
  }
}
