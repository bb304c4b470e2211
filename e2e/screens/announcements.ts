import type { Page } from "@playwright/test";
import { sql } from "kysely";
import { announce, stopAnnouncement } from "#app/features/announcements/announcements.server.ts";
import { countAudience } from "#app/features/announcements/audience.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { press, pressInVain } from "./screen.ts";
import type { Screen } from "./scenario.ts";

const PATH = "/admin/players/announcements";
const STOPPED = "0b7b1b9e-1f0e-4b55-9a44-0d2a53b0a001";

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

/** What organisers tell everybody. */
export const ANNOUNCEMENT_SCREENS: Screen[] = [
  { name: "announcements", as: "admin", path: PATH },
  { name: "announcement-new", as: "admin", path: `${PATH}/new` },
  {
    name: "announcement-new-errors",
    as: "admin",
    path: `${PATH}/new`,
    act: async (page) => {
      await page.getByLabel("Who gets it *").selectOption("The players of a venue");
      await pressInVain(page, "Preview");
    },
  },
  { name: "announcement-preview", as: "admin", path: `${PATH}/new`, act: preview },
  { name: "announcement-stopped", as: "admin", path: `${PATH}/${STOPPED}` },
];

async function preview(page: Page) {
  await page.getByLabel("Who gets it *").selectOption("Who has played lately");
  await page.getByLabel("Subject *").fill("New balls, new bibs");
  await page.getByLabel("Message *").fill("Hi all,\n\nFrom Monday on we play with new balls.");
  await press(page, "Preview");
  await page.getByRole("group", { name: "Preview" }).waitFor();
}
