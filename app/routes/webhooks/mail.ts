import { createHash, timingSafeEqual } from "node:crypto";
import { storeReply } from "#app/features/support/replies.server.ts";
import { readInboundMail } from "#app/platform/inbound-mail.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import type { Route } from "./+types/mail";

// A reply to an answer of the inbox, from the mail server (docs/operations.md). 200 if it is
// stored, was stored before or is automatic; 404 for another address, so that the mail server
// rejects it.
export async function action({ request, context }: Route.ActionArgs): Promise<Response> {
  const { db, jobs, env, now } = context.get(appContext);
  const { supportReplies } = env;
  if (!supportReplies) return respond(404, "replies by email are off");
  if (!isAuthorized(request, supportReplies.secret)) return respond(401, "wrong secret");
  const mail = await readInboundMail(new Uint8Array(await request.arrayBuffer()));
  if (!mail) return respond(400, "not an email");
  const result = await storeReply(db, jobs, { mail, site: { ...env, supportReplies }, now: now() });
  const word = result.ok ? "ok" : result.reason;
  return respond(STATUSES[word], word);
}

const STATUSES = { ok: 200, unknown: 404, empty: 422, "too-often": 429 };

export function loader(): Response {
  return new Response("Method Not Allowed", { status: 405, headers: { Allow: "POST" } });
}

/** In constant time, whatever the lengths. */
function isAuthorized(request: Request, secret: string): boolean {
  const given = request.headers.get("Authorization") ?? "";
  return timingSafeEqual(hash(given), hash(`Bearer ${secret}`));
}

const hash = (text: string) => createHash("sha256").update(text).digest();

function respond(status: number, text: string): Response {
  return new Response(text, { status, headers: { "Cache-Control": "no-store" } });
}
