import { announce, stopAnnouncement } from "#app/features/announcements/announcements.server.ts";
import { countAudience } from "#app/features/announcements/audience.server.ts";
import { type AnnouncementInput, announcementInput } from "#app/features/announcements/input.ts";
import { peopleText } from "#app/features/announcements/rules.ts";
import { formActions } from "#app/forms/form-action.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import { rejected } from "#app/forms/form-rows.server.ts";
import { adminRow, adminRows } from "#app/routes/admin/admin-action.server.ts";

export interface Preview {
  input: AnnouncementInput;
  recipients: number;
  people: string;
}

/** A preview keeps what was typed, as a failed form does. */
export type AnnounceResult = FormResult & { preview?: Preview };

const FIELDS = ["kind", "audience", "days", "venueId", "subject", "message"];
const NOBODY = "Nobody would get it. Choose other people.";

const preview = (input: AnnouncementInput, recipients: number): AnnounceResult => ({
  preview: { input, recipients, people: peopleText(recipients) },
});

const row = adminRows<AnnounceResult>();
const shared = { failed: "Nothing was sent", keep: FIELDS, input: announcementInput };

export const announceAction = formActions({
  preview: row({
    ...shared,
    run: async ({ db, now, input }) => {
      const recipients = await countAudience(db, { to: input, kind: input.kind, now: now() });
      if (recipients === 0) return rejected("nobody");
      return { ok: false, reason: "preview", recipients } as const;
    },
    // Not a success: the form stays as it was typed.
    errors: {
      nobody: ["invalid", NOBODY],
      preview: ({ recipients }, { input }) => ["ok", preview(input, recipients)],
    },
    done: {},
  }),
  send: row({
    ...shared,
    run: ({ db, now, actor, input, fields: { announcementId = "", recipients = "" } }) =>
      announce(db, { announcementId, input, shown: Number(recipients), actor, now: now() }),
    errors: {
      "not-found": "Open this page again, then send it.",
      nobody: NOBODY,
      changed: ({ recipients }, { input }) => ({
        title: "Please check again",
        formError: `Nothing was sent: it would go to ${peopleText(recipients)} now.`,
        ...preview(input, recipients),
      }),
      "sent-before": "Not sent: this form has sent another announcement already. Send it again.",
    },
    done: ({ recipients }, { fields: { announcementId } }) => ({
      to: `/admin/players/announcements/${announcementId}`,
      title: "Sending has begun",
      description: `${peopleText(recipients)} get it, a few at a time.`,
    }),
  }),
});

const stop = (isStopped: boolean) =>
  adminRow({
    failed: isStopped ? "Failed to stop" : "Failed to go on",
    run: ({ db, now, actor, params: { announcementId: id = "" } }) =>
      stopAnnouncement(db, { id, isStopped, actor, now: now() }),
    errors: {
      "not-found": ["missing", "There is no such announcement."],
      closed: "It was ended: nobody is left to get it.",
    },
    done: { title: isStopped ? "Stopped" : "Sending goes on" },
  });

export const progressAction = formActions({ stop: stop(true), resume: stop(false) });
