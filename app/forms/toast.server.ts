import { randomUUID } from "node:crypto";
import { redirect } from "react-router";
import { type CookieEnv, signedCookie } from "#app/platform/signed-cookie.server.ts";

export const TOAST_LABEL = "toast";

export interface ToastMessage {
  id: string;
  title: string;
  description?: string | undefined;
  tone?: "good" | "danger" | "info" | undefined;
}

/** Leads to a page that says in a toast what was done. */
export async function redirectWithToast(
  env: CookieEnv,
  to: string,
  message: Omit<ToastMessage, "id">,
  headers = new Headers(),
) {
  headers.append("Set-Cookie", await toastCookie(env, message));
  return redirect(to, { headers });
}

/** Set-Cookie of a message for the next page; it is shown once. */
export function toastCookie(env: CookieEnv, message: Omit<ToastMessage, "id">): Promise<string> {
  const text = JSON.stringify({ ...message, id: randomUUID() });
  return cookie(env).write(text, { maxAge: 60 });
}

/**
 * The message left for this page, with the Set-Cookie that forgets it. A page that is fetched ahead
 * may never be shown: the message waits for the next one.
 */
export async function takeToast(env: CookieEnv, request: Request) {
  const { name, read, clear } = cookie(env);
  const isAhead = /prefetch/.test(request.headers.get("Sec-Purpose") ?? "");
  if (isAhead || !request.headers.get("Cookie")?.includes(name))
    return { flash: null, forget: null };
  const text = await read(request);
  const flash = text ? (JSON.parse(text) as ToastMessage) : null;
  return { flash, forget: await clear() };
}

// Signed, so that nobody puts words into our mouth.
const cookie = (env: CookieEnv) => signedCookie(env, TOAST_LABEL);
