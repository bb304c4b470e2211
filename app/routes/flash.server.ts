import { createCookie } from "react-router";
import type { Env } from "../platform/env.server.ts";

export interface Flash {
  id: string;
  title: string;
  description?: string | undefined;
  tone?: "good" | "danger" | "info" | undefined;
}

/** Set-Cookie of a message for the next page; it is shown once. */
export function flashCookie(env: Env, message: Omit<Flash, "id">): Promise<string> {
  return cookie(env).serialize({ ...message, id: crypto.randomUUID() });
}

/** The message left for this page, with the Set-Cookie that forgets it. */
export async function takeFlash(env: Env, request: Request) {
  const header = request.headers.get("Cookie");
  if (!header?.includes(NAME)) return { flash: null, forget: null };
  const flash = (await cookie(env).parse(header)) as Flash | null;
  return { flash, forget: await cookie(env).serialize("", { maxAge: 0 }) };
}

const NAME = "kickabout_flash";

// Signed, so that nobody puts words into our mouth.
function cookie(env: Env) {
  return createCookie(NAME, {
    secrets: [env.sessionSecret],
    httpOnly: true,
    sameSite: "lax",
    path: "/",
    maxAge: 60,
    secure: env.appUrl.startsWith("https:"),
  });
}
