import type { Viewer } from "../../features/accounts/sessions.server.ts";
import { COUNTRIES } from "../../features/players/countries.server.ts";
import { findEventStats } from "../../features/players/event-stats.server.ts";
import { findOwnProfile } from "../../features/players/profiles.server.ts";
import { findProgress } from "../../features/rewards/progress.server.ts";
import { listEntries } from "../../features/wallet/statement.server.ts";
import { helsinkiDate } from "../../platform/clock.ts";
import type { App } from "../context.server.ts";
import { balanceWords } from "../wallet/balance-words.ts";
import { showEntry } from "../wallet/entry-words.ts";
import { HISTORY_LENGTH } from "../wallet/wallet-history.tsx";
import { showChallenge } from "./challenge-words.ts";
import { ageText, formValues, showPublic } from "./profile-words.server.ts";

/** Everything that a player's own profile shows. */
export async function loadOwnProfile({ db, now }: App, viewer: Viewer) {
  const { userId } = viewer;
  const instant = now();
  const [profile, stats, progress, entries] = await Promise.all([
    findOwnProfile(db, userId),
    findEventStats(db, userId, instant),
    findProgress(db, { playerId: userId, now: instant }),
    listEntries(db, { userId, limit: HISTORY_LENGTH }),
  ]);
  return {
    ...showPublic(profile),
    age: ageText(profile, helsinkiDate(instant)),
    form: formValues(profile),
    countries: COUNTRIES,
    isAdmin: viewer.isAdmin,
    stats,
    challenge: showChallenge(progress),
    balance: balanceWords(viewer),
    entries: entries.map(showEntry),
  };
}
export type ProfilePage = Awaited<ReturnType<typeof loadOwnProfile>>;
