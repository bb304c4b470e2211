import { randomUUID } from "node:crypto";
import { redirect } from "react-router";
import { type CookieEnv, signedCookie } from "#app/platform/signed-cookie.server.ts";
import type { SentMessage } from "#app/ui/page-message.tsx";

export const TOAST_LABEL = "toast";

type Message = Omit<SentMessage, "id">;

export async function redirectWithToast(
  env: CookieEnv,
  to: string,
  message: Message,
  headers = new Headers(),
) {
  headers.append("Set-Cookie", await toastCookie(env, message));
  return redirect(to, { headers });
}

export function toastCookie(env: CookieEnv, message: Message): Promise<string> {
  const text = JSON.stringify({ ...message, id: randomUUID() });
  return cookie(env).write(text, { maxAge: 60 });
}

/** Returns its deleting Set-Cookie too. A prefetched page may never be shown, so it leaves it. */
export async function takeToast(env: CookieEnv, request: Request) {
  const { name, read, clear } = cookie(env);
  const isAhead = /prefetch/.test(request.headers.get("Sec-Purpose") ?? "");
  const isSent = request.headers.get("Cookie")?.includes(name);
  if (isAhead || !isSent) return { toast: null, clearing: null };
  const text = await read(request);
  const toast = text ? (JSON.parse(text) as SentMessage) : null;
  return { toast, clearing: await clear() };
}

// Signed, so that nobody puts words into our mouth.
const cookie = (env: CookieEnv) => signedCookie(env, TOAST_LABEL);
