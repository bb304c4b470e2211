import { sql } from "kysely";
import { announce, stopAnnouncement } from "#app/features/announcements/announcements.server.ts";
import { countAudience } from "#app/features/announcements/audience.server.ts";
import { planLegalPage } from "#app/features/legal/coming-pages.server.ts";
import { findLegalPage } from "#app/features/legal/legal-pages.server.ts";
import { addDays, helsinkiDate } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";

export const STOPPED = "0b7b1b9e-1f0e-4b55-9a44-0d2a53b0a001";

/** One that was stopped half-way. */
export async function stageAnnouncement(db: Db, actor: string): Promise<void> {
  const now = new Date();
  const input = {
    ...({ audience: "everybody", kind: "news", subject: "Winter games are out" } as const),
    message:
      "Hi all,\n\nThe winter games at Otaniemi Sports Hall are on the list.\n\nSee you there!",
  };
  const shown = await countAudience(db, { to: input, kind: input.kind, now });
  await announce(db, { announcementId: STOPPED, input, shown, actor, now });
  await stopAnnouncement(db, { id: STOPPED, isStopped: true, actor, now });
  await sql`update announcement_recipients set queued_at = ${now}, ended_at = ${now},
    outcome = case when id % 7 = 0 then 'left-out' else 'sent' end
    where id % 2 = 1`.execute(db);
}

/** Terms that hold from 45 days on. */
export async function stageComingTerms(db: Db, actor: string): Promise<void> {
  const now = new Date();
  const { title, content } = (await findLegalPage(db, "terms", now))!;
  const input = {
    title,
    content: `${content}\n\n14. Lost property\nWhat you leave at a venue is kept for a month.`,
    holdsFrom: addDays(helsinkiDate(now), 45),
  };
  await planLegalPage(db, { type: "terms", version: 0, input, actor, now });
}
