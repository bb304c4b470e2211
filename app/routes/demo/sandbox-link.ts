import { SANDBOX_PATH } from "#app/platform/sandbox.ts";

/** What an address of the checkout says: who pays, and how far the payment has come. */
interface SandboxLink {
  reference: string | null;
  email: string;
  /** The checkout session whose money is still to come; null while nothing is paid. */
  sessionId: string | null;
  isRefused: boolean;
}

/**
 * Reads the address as Stripe does: a reference that is no plain id is dropped without a word, and
 * the payment then belongs to nobody.
 */
export function readLink(request: Request): SandboxLink {
  const { searchParams } = new URL(request.url);
  const reference = searchParams.get("client_reference_id") ?? "";
  const email = searchParams.get("prefilled_email") ?? "";
  return {
    reference: /^[\w-]{1,200}$/.test(reference) ? reference : null,
    email: isEmail(email) ? email : "",
    sessionId: readSession(searchParams.get("session_id")),
    isRefused: searchParams.get("bank") === "refused",
  };
}

/** The same page, with the payment's state in its address. */
export function linkTo(packKey: string, { reference, email, sessionId, isRefused }: SandboxLink) {
  const search = new URLSearchParams();
  if (reference) search.set("client_reference_id", reference);
  if (email) search.set("prefilled_email", email);
  if (sessionId) search.set("session_id", sessionId);
  if (isRefused) search.set("bank", "refused");
  return `${SANDBOX_PATH}${encodeURIComponent(packKey)}?${search}`;
}

/** A checkout session's id as the sandbox makes them, or null. */
export function readSession(text: unknown): string | null {
  return typeof text === "string" && /^cs_test_[A-Za-z0-9]{1,100}$/.test(text) ? text : null;
}

export function isEmail(text: string): boolean {
  return text.length <= 255 && /^[^\s@]+@[^\s@]+$/.test(text);
}
