import { createHash } from "node:crypto";
import webpush from "web-push";
import type { Env } from "./env.server.ts";
import { log } from "./log.server.ts";

interface PushAddress {
  endpoint: string;
  p256dh: string;
  auth: string;
}

export interface PushMessage {
  title: string;
  body: string;
  url: string;
  /** A newer message replaces an older one with the same tag. */
  tag: string;
  /** Instant after which it is of no use. */
  until: Date;
  isUrgent: boolean;
}

type Outcome = "sent" | "gone" | "rejected";

const TIMEOUT_MS = 10_000;
/** The longest that Google's service keeps a message. */
const MOST_SECONDS = 28 * 86_400;
const [TITLE_MAX, BODY_MAX] = [100, 300];
const TOPIC_LENGTH = 32;

/** Null without VAPID keys. Throws if a retry may succeed: 408, 429, 5xx or no response. */
export function createPush({ vapid, contactEmail }: Pick<Env, "vapid" | "contactEmail">) {
  if (!vapid) return null;
  const vapidDetails = { subject: `mailto:${contactEmail}`, ...vapid };
  return async (address: PushAddress, message: PushMessage, now: Date): Promise<Outcome> => {
    const { endpoint, p256dh, auth } = address;
    const details = webpush.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      payloadOf(message),
      {
        vapidDetails,
        contentEncoding: "aes128gcm",
        TTL: Math.min(Math.ceil((message.until.getTime() - now.getTime()) / 1_000), MOST_SECONDS),
        urgency: message.isUrgent ? "high" : "normal",
        topic: digest(message.tag),
      },
    );
    const response = await fetch(endpoint, {
      method: "POST",
      headers: textsOf(details.headers),
      body: new Uint8Array(details.body),
      // A push service has no reason to redirect us.
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return outcomeOf(response.status);
  };
}

function payloadOf({ title, body, url, tag }: PushMessage): string {
  return JSON.stringify({ title: cut(title, TITLE_MAX), body: cut(body, BODY_MAX), url, tag });
}

/** Services take 4 KB; this stays below 3 KB in any alphabet. */
const cut = (text: string, most: number) => [...text].slice(0, most).join("");

const digest = (tag: string) =>
  createHash("sha256").update(tag).digest("base64url").slice(0, TOPIC_LENGTH);

const textsOf = (headers: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return "sent";
  if (status === 404 || status === 410) return "gone";
  if (status === 408 || status === 429 || status >= 500) {
    throw new Error(`the push service answered ${status}`);
  }
  log.error({ status }, "push rejected");
  return "rejected";
}
