import { randomUUID } from "node:crypto";
import { createCookie } from "react-router";
import type { SentMessage } from "#app/ui/page-message.tsx";
import { REOPENED_COOKIE } from "#app/forms/account-watch.ts";

const reopened = createCookie(REOPENED_COOKIE, { path: "/", sameSite: "lax" });

type Viewer = { firstName: string } | null | undefined;

/**
 * For the page that the browser opened again, and the Set-Cookie that ends it. Other tabs send the
 * cookie too, and must not take the notice away.
 */
export async function reopenedNotice(
  request: Request,
  viewer: Viewer,
): Promise<{ notice?: SentMessage; ended?: string }> {
  const path = encodeURIComponent(new URL(request.url).pathname);
  const cookies = `${request.headers.get("Cookie")};`;
  if (!cookies.includes(`${REOPENED_COOKIE}=${path};`)) return {};
  const ended = await reopened.serialize("", { maxAge: 0 });
  if (!viewer) return { ended };
  const notice: SentMessage = {
    id: randomUUID(),
    title: `You are signed in as ${viewer.firstName} now.`,
    description: "This page was open for another account.",
    tone: "info",
    isLasting: true,
  };
  return { notice, ended };
}
