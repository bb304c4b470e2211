import type { Db } from "#app/platform/db.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import type { JobHandlers, Jobs } from "#app/platform/jobs.server.ts";
import type { MailContent, Mailer } from "#app/platform/mail.server.ts";
import type { PassedOver } from "#app/platform/schema.ts";
import { findPlaceFacts, type PlaceFacts } from "./entry-facts.server.ts";
import { listChanges } from "./entry-changes.server.ts";
import { promoteWaiting } from "./promote-waiting.server.ts";
import {
  offerMissedMail,
  passedOverMail,
  spotOfferedMail,
  waitlistChangedMail,
  waitlistEndedMail,
} from "./emails.tsx";

interface PlaceMails {
  /** Of one offer: a later one has another end. */
  "mail.spot-offered": { entryId: string; expiresAt: string };
  "mail.offer-missed": { entryId: string };
  /** The same reason may come back: each telling has a key of its own. */
  "mail.passed-over": { entryId: string; reason: PassedOver; toldAt: string };
  "mail.waitlist-changed": { entryId: string };
  "mail.waitlist-ended": { entryId: string };
}

declare module "#app/platform/jobs.server.ts" {
  interface JobData extends PlaceMails {}
}

interface Tools {
  env: Env;
  db: Db;
  mailer: Mailer;
  now: () => Date;
}

export function waitlistMails({
  env,
  db,
  mailer,
  now,
}: Tools): Pick<JobHandlers, keyof PlaceMails> {
  const send =
    <Job extends { entryId: string }>(
      kind: string,
      compose: (place: PlaceFacts, job: Job) => Promise<MailContent | null> | null,
      version: (job: Job, place: PlaceFacts) => string = () => "",
    ) =>
    async (job: Job) => {
      const place = await findPlaceFacts(db, job.entryId);
      const content = place && (await compose(place, job));
      const key = place && `${kind}:${job.entryId}:${version(job, place)}`;
      if (content && key) await mailer({ ...content, to: place.email, key });
    };
  const isWaiting = ({ status }: PlaceFacts) => status === "Waiting";
  return {
    "mail.spot-offered": send(
      "spot-offered",
      (place, { expiresAt }) => {
        const until = new Date(expiresAt);
        if (place.status !== "Offered" || until <= now()) return null;
        return spotOfferedMail(env, place, until);
      },
      ({ expiresAt }) => expiresAt,
    ),
    "mail.offer-missed": send(
      "offer-missed",
      (place) => (isWaiting(place) ? offerMissedMail(env, place) : null),
      (_, { missedOffers }) => String(missedOffers),
    ),
    "mail.passed-over": send(
      "passed-over",
      (place, { reason }) => (isWaiting(place) ? passedOverMail(env, place, reason) : null),
      ({ reason, toldAt }) => `${reason}:${toldAt}`,
    ),
    "mail.waitlist-changed": send(
      "waitlist-changed",
      async (place, { entryId }) => {
        if (!isWaiting(place) || !place.needsConsent) return null;
        return waitlistChangedMail(env, place, await listChanges(db, entryId));
      },
      (_, { gameVersion, agreedAt }) => `${gameVersion}:${agreedAt.toISOString()}`,
    ),
    "mail.waitlist-ended": send("waitlist-ended", (place) =>
      place.endReason ? waitlistEndedMail(env, place, place.endReason) : null,
    ),
  };
}

/** Not held back while no mail can be sent. */
export function waitlistJobs({
  db,
  jobs,
  now,
}: Pick<Tools, "db" | "now"> & { jobs: Jobs }): Pick<JobHandlers, "waitlist.promote"> {
  return {
    async "waitlist.promote"({ gameId }) {
      await promoteWaiting(db, jobs, { gameId, now: now() });
    },
  };
}
