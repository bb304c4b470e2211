import { accountNotices } from "#app/features/accounts/notices.ts";
import { bookingNotices } from "#app/features/bookings/notices.tsx";
import { nameInvitation } from "#app/features/friends/friends.server.ts";
import { chatNotices } from "#app/features/chat/notices.ts";
import { organiserNotices } from "#app/features/organise/notices.tsx";
import { privacyNotices } from "#app/features/privacy/notices.ts";
import { supportNotices } from "#app/features/support/notices.ts";
import { waitlistNotices } from "#app/features/waitlist/notices.tsx";
import { walletNotices } from "#app/features/wallet/notices.tsx";
import type { DataOf } from "#app/platform/notices.ts";

const EMAILS = [
  ...bookingNotices,
  ...organiserNotices,
  ...waitlistNotices,
  ...walletNotices,
  ...accountNotices(nameInvitation),
  ...supportNotices,
  ...privacyNotices,
] as const;

/** All that people are told by email or push message. */
export const NOTICES = [...EMAILS, ...chatNotices] as const;

declare module "#app/platform/notices.ts" {
  interface NoticeData extends DataOf<typeof NOTICES> {}
}

type Emails = DataOf<typeof EMAILS>;
type EmailJobs = {
  [Kind in Exclude<keyof Emails, "day-before" | "soon"> as `mail.${Kind}`]: Emails[Kind];
};

declare module "#app/platform/jobs.server.ts" {
  interface JobData extends EmailJobs {
    "mail.reminder": DataOf<typeof EMAILS>["soon"] & { kind: "day-before" | "soon" };
  }
}
