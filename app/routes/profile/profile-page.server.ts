import type { Viewer } from "#app/features/accounts/sessions.server.ts";
import { COUNTRIES } from "#app/features/players/countries.server.ts";
import { findEventStats } from "#app/features/players/cards.server.ts";
import { findOwnProfile } from "#app/features/players/profiles.server.ts";
import { findProgress } from "#app/features/rewards/rewards.server.ts";
import { listEntries } from "#app/features/wallet/statement.server.ts";
import { helsinkiDate } from "#app/platform/clock.ts";
import type { App } from "#app/routes/context.server.ts";
import { balanceWords } from "#app/routes/wallet/balance-words.ts";
import { showEntry } from "#app/routes/wallet/entry-words.ts";
import { HISTORY_LENGTH } from "#app/routes/wallet/wallet-history.tsx";
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
