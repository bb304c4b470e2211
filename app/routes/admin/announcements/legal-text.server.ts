import { findComingPage } from "#app/features/legal/coming-pages.server.ts";
import type { LegalPageType } from "#app/features/legal/legal-pages.server.ts";
import { monthDayYear } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { Env } from "#app/platform/env.server.ts";

type Site = Pick<Env, "appUrl" | "brandName" | "contactEmail">;

const TEXTS: Record<LegalPageType, { change: string; hold: string; end(site: Site): string }> = {
  terms: {
    change: "Our terms change",
    hold: "new terms hold",
    end: ({ contactEmail }) =>
      "\n\nIf you do not agree, write to us before you delete your account, and we refund unused " +
      `bought credits: ${contactEmail}`,
  },
  privacy: {
    change: "Our privacy policy changes",
    hold: "a new privacy policy holds",
    end: () => "",
  },
};

/** The announcement of a coming legal text, to which the organiser adds what changes; null without one. */
export async function prefillOfLegalPage(db: Db, site: Site, type: string) {
  if (type !== "terms" && type !== "privacy") return null;
  const coming = await findComingPage(db, type);
  if (!coming) return null;
  const [{ change, hold, end }, day] = [TEXTS[type], monthDayYear(coming.holdsFrom)];
  return {
    kind: "important-announcement",
    subject: `${change} on ${day}`,
    message:
      `Hi,\n\nfrom ${day} on, ${hold} at ${site.brandName}. The present text and the new one ` +
      `are both here: ${site.appUrl}/${type}\n\nWhat changes:\n- ${end(site)}`,
  };
}
