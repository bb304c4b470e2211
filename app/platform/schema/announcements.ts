import type { GeneratedAlways } from "kysely";

export interface AnnouncementTables {
  announcements: {
    id: string;
    kind: "news" | "important-announcement";
    audience: "everybody" | "played" | "venue";
    days: number | null;
    venue_id: string | null;
    subject: string;
    message: string;
    recipients: number;
    created_by: string;
    created_at: Date;
    stopped_at: Date | null;
    closed_at: Date | null;
    sent: number | null;
    unsure: number | null;
    undelivered: number | null;
  };
  announcement_recipients: {
    id: GeneratedAlways<number>;
    announcement_id: string;
    /** Null once the account is deleted. */
    user_id: string | null;
    queued_at: Date | null;
    begun_at: Date | null;
    outcome: "sent" | "left-out" | "unsure" | null;
    ended_at: Date | null;
  };
}
