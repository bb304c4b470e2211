import { withoutAddresses } from "./log.server.ts";

/**
 * Why a mail did not go out. "rejected": the server does not want this very mail, now or later.
 * "deferred": not this mail now. "unreachable": the server takes none of ours, because it is away
 * or our own configuration is wrong.
 */
export type MailFailure = "rejected" | "deferred" | "unreachable";

/** What a mailer throws. The message is the server's, in one line and without addresses. */
export class MailError extends Error {
  override readonly name = "MailError";
  readonly failure: MailFailure;
  /** The reply code of RFC 5321, such as 550, or nodemailer's, such as ECONNECTION. */
  readonly code: string;

  constructor(failure: MailFailure, message: string, code: string) {
    super(message);
    this.failure = failure;
    this.code = code;
  }
}

const LONGEST = 300;
/** Replies about who we are: no mail can pass before we are let in (RFC 4954, section 6). */
const AUTH_REPLIES = new Set([530, 534, 535, 538]);
const ABOUT_THE_MAIL = new Set(["RCPT TO", "DATA"]);

/** Reads nodemailer's error; https://nodemailer.com/errors names its fields. */
export function readMailError(error: unknown): MailError {
  const { code, command, responseCode, response, message } = fieldsOf(error);
  const text = withoutAddresses(response ?? message)
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, LONGEST);
  const failure = failureOf({ code, command, responseCode });
  return new MailError(failure, text, String(responseCode ?? code ?? "unknown"));
}

function failureOf({ code, command, responseCode }: Fields): MailFailure {
  // Found before anything was sent: an address or a message that no server would take.
  if (!responseCode && code === "EMESSAGE") return "rejected";
  if (!responseCode && code === "EENVELOPE" && command === "API") return "rejected";
  if (!responseCode || !command || !ABOUT_THE_MAIL.has(command)) return "unreachable";
  // 421 closes the connection, whatever it was said to (RFC 5321, section 3.8).
  if (responseCode === 421 || AUTH_REPLIES.has(responseCode)) return "unreachable";
  return responseCode >= 500 ? "rejected" : "deferred";
}

interface Fields {
  code?: string | undefined;
  command?: string | undefined;
  responseCode?: number | undefined;
}

function fieldsOf(error: unknown): Fields & { response?: string | undefined; message: string } {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, command, responseCode, response } = error as Error & Record<string, unknown>;
  return {
    code: typeof code === "string" ? code : undefined,
    command: typeof command === "string" ? command : undefined,
    responseCode: typeof responseCode === "number" ? responseCode : undefined,
    response: typeof response === "string" ? response : undefined,
    message: error.message,
  };
}
