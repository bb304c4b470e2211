interface Checkout {
  /** The pack's stored payment link. */
  link: string | null;
  /** What every payment link must start with: an origin and perhaps a path. */
  prefix: string;
  /** What Stripe's events will name the player by. */
  userId: string;
  email: string;
}

// Stripe takes no other client_reference_id, and shows none of it to the payer.
const REFERENCE = /^[\w-]{1,200}$/;

/**
 * Where the browser pays: the pack's link with the player in it. Null where the link is missing or
 * leads anywhere else than below the prefix; throws for a user id that Stripe would drop.
 */
export function checkoutUrl({ link, prefix, userId, email }: Checkout): string | null {
  if (!isPaymentLink(link, prefix)) return null;
  if (!REFERENCE.test(userId)) throw new Error(`not a reference: ${userId}`);
  const url = new URL(link);
  url.searchParams.set("client_reference_id", userId);
  url.searchParams.set("prefilled_email", email);
  return url.href;
}

// An absolute address in plain ASCII: parsers differ on backslashes, blanks, credentials and
// missing slashes, and an escaped dot or slash in the path is one thing here and another there.
const PLAIN = /^https?:\/\/[\w.:[\]-]+\/[!$&'()*+,./:;=@\w~-]*([?#][!-[\]-~]*)?$/i;

/** Whether a link leads below the prefix, both compared as browsers read them. */
export function isPaymentLink(link: unknown, prefix: string): link is string {
  if (typeof link !== "string" || !PLAIN.test(link) || !URL.canParse(link)) return false;
  const [given, wanted] = [new URL(link), new URL(prefix)];
  // Origins hold the protocol, the host and the port; hosts in other scripts are punycode in them.
  return given.origin === wanted.origin && isBelow(given.pathname, wanted.pathname);
}

/** Whole segments only: /pay covers /pay/1, not /payment. The folder itself is no link yet. */
function isBelow(path: string, folder: string): boolean {
  if (folder.endsWith("/")) return path.startsWith(folder) && path !== folder;
  return path === folder || path.startsWith(`${folder}/`);
}
