import { randomUUID } from "node:crypto";
import type { SentMessage } from "#app/ui/page-message.tsx";
import { REOPENED_COOKIE } from "#app/forms/account-watch.ts";

type Viewer = { firstName: string } | null | undefined;

/**
 * For the page that the browser opened again, and the Set-Cookie that ends it. Other tabs send the
 * cookie too, and must not take the notice away.
 */
export function reopenedNotice(
  request: Request,
  viewer: Viewer,
): { notice?: SentMessage; ended?: string } {
  const path = encodeURIComponent(new URL(request.url).pathname);
  const cookies = `${request.headers.get("Cookie")};`;
  if (!cookies.includes(`${REOPENED_COOKIE}=${path};`)) return {};
  const ended = `${REOPENED_COOKIE}=; Path=/; Max-Age=0; SameSite=Lax`;
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
