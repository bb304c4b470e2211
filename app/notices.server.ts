import { accountNotices } from "#app/features/accounts/notices.ts";
import { announcementNotices } from "#app/features/announcements/notices.tsx";
import { bookingNotices, waitlistBooked } from "#app/features/bookings/notices.tsx";
import { nameInvitation } from "#app/features/friends/friends.server.ts";
import { chatNotices } from "#app/features/chat/notices.ts";
import { organiseNotices } from "#app/features/organise/notices.tsx";
import { privacyNotices } from "#app/features/privacy/notices.ts";
import { supportNotices } from "#app/features/support/notices.ts";
import { waitlistNotices } from "#app/features/waitlist/notices.tsx";
import { walletNotices } from "#app/features/wallet/notices.tsx";
import { type DataOf, listSwitches, type NoticeData } from "#app/platform/notices.ts";

export const NOTICES = [
  ...bookingNotices,
  ...organiseNotices,
  ...waitlistNotices,
  waitlistBooked,
  ...chatNotices,
  ...walletNotices,
  ...accountNotices(nameInvitation),
  ...supportNotices,
  ...privacyNotices,
  ...announcementNotices,
] as const;

const LABELS = new Map<string, string>(NOTICES.map(({ kind, label }) => [kind, label]));

/** Label of the kind of a notice, as stored now or by an earlier version ("mail.review"). */
export function mailLabel(stored: unknown): string {
  const kind = String(stored).replace(/^mail\./, "");
  return LABELS.get(kind === "reminder" ? "soon" : kind) ?? "Another email";
}

export const SWITCHES = listSwitches(NOTICES);

declare module "#app/platform/notices.ts" {
  interface NoticeData extends DataOf<typeof NOTICES> {}
}

declare module "#app/platform/jobs.server.ts" {
  interface JobData {
    "mail.account-deleted": { kind: "account-deleted" } & NoticeData["account-deleted"];
    "mail.news": { kind: "news" } & NoticeData["news"];
    "mail.important-announcement": {
      kind: "important-announcement";
    } & NoticeData["important-announcement"];
  }
}
