import { createHash } from "node:crypto";
import PostalMime, { type Address } from "postal-mime";
import { toPlainText } from "react-email";

export interface InboundMail {
  /** A hash of the Message-ID, or of the whole email where it has none. */
  key: string;
  from: string | null;
  recipients: string[];
  text: string;
  attachments: number;
  isAutomatic: boolean;
}

/** Null if it is no email. It may be cut off after its text. */
export async function readInboundMail(raw: Uint8Array<ArrayBuffer>): Promise<InboundMail | null> {
  const mail = await PostalMime.parse(raw, { maxNestingDepth: 20 }).catch(() => null);
  if (!mail?.from) return null;
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value ?? "";
  const listed = [...(mail.to ?? []), ...(mail.cc ?? [])].flatMap(addressesOf);
  const delivered = [header("delivered-to"), header("x-original-to")];
  return {
    key: createHash("sha256")
      .update(mail.messageId || raw)
      .digest("hex"),
    from: addressesOf(mail.from)[0] ?? null,
    recipients: [...listed, ...delivered].map((address) => address.trim().toLowerCase()),
    text: mail.text?.trim() ? mail.text : plainText(mail.html ?? ""),
    attachments: mail.attachments.filter(({ disposition }) => disposition !== "inline").length,
    isAutomatic: !/^(no)?$/i.test(header("auto-submitted")) || /bulk/i.test(header("precedence")),
  };
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
