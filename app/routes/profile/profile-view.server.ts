import type { Viewer } from "#app/features/accounts/sessions.server.ts";
import { findStats, type PlayerStats } from "#app/features/players/cards.server.ts";
import { COUNTRIES, findCountry } from "#app/features/players/countries.server.ts";
import {
  findOwnProfile,
  type OwnProfile,
  type PublicProfile,
} from "#app/features/players/profiles.server.ts";
import type { ProfileValues } from "#app/features/players/input.ts";
import { ageOn, POSITIONS, ticksOf } from "#app/features/players/rules.ts";
import { findProgress, type Progress } from "#app/features/rewards/rewards.server.ts";
import {
  challengeState,
  gamesMissing,
  GOAL_GAMES,
  monthAfter,
  REWARD_CENTS,
} from "#app/features/rewards/rules.ts";
import { listEntries } from "#app/features/wallet/statement.server.ts";
import { helsinkiDate, monthDay } from "#app/platform/clock.ts";
import { creditsCount } from "#app/platform/money.ts";
import { toCardView } from "#app/features/players/card-view.ts";
import type { App } from "#app/routes/context.server.ts";
import { toEntryView, toBalanceView } from "#app/routes/credits/wallet-view.server.ts";

/** The specification's wallet history: a player's last transactions. */
const HISTORY_LENGTH = 10;

export async function loadOwnProfile({ db, now }: App, viewer: Viewer) {
  const { userId } = viewer;
  const instant = now();
  const [profile, stats, progress, entries] = await Promise.all([
    findOwnProfile(db, userId),
    findStats(db, userId, instant),
    findProgress(db, { playerId: userId, now: instant }),
    listEntries(db, { userId, limit: HISTORY_LENGTH }),
  ]);
  return {
    ...toPublicView(profile),
    age: `${ageOn(profile.dateOfBirth, helsinkiDate(instant))} years`,
    values: toProfileValues(profile),
    countries: COUNTRIES,
    isAdmin: viewer.isAdmin,
    stats: toStatsView(stats),
    favouriteVenue: stats.favouriteVenue,
    card: toCardView({ ...profile, ...stats, gamesPlayed: stats.joined }),
    challenge: toChallengeView(progress),
    balance: toBalanceView(viewer),
    entries: entries.map(toEntryView),
  };
}
export type OwnProfileView = Awaited<ReturnType<typeof loadOwnProfile>>;

export function toPublicView(profile: PublicProfile) {
  const { firstName, lastName, profilePictureUrl, schoolYear, major } = profile;
  const { position, nationality, nationalityCode, isDownToPlay, sportsInterests } = profile;
  const hasFlag = nationalityCode !== null && findCountry(nationalityCode) !== null;
  const flag = hasFlag ? `/flags/${nationalityCode}.svg` : null;
  return {
    name: `${firstName} ${lastName}`.trim(),
    profilePictureUrl,
    schoolYear,
    major,
    position: position && { key: position, name: POSITIONS[position] },
    country: nationality ? { name: nationality, flag } : null,
    isDownToPlay,
    sportsInterests,
  };
}
export type PublicView = ReturnType<typeof toPublicView>;

export function toStatsView({ joined, created, ...stats }: PlayerStats) {
  const { thisMonth, weeksInARow, wins, goals } = stats;
  const numbers = [
    { label: "Games played", value: joined, isShown: true },
    { label: "Games this month", value: thisMonth, isShown: thisMonth > 0 },
    { label: "Weeks in a row", value: weeksInARow, isShown: weeksInARow > 1 },
    { label: "Total wins", value: wins, isShown: wins !== null },
    { label: "Total goals", value: goals, isShown: goals !== null },
  ];
  return {
    numbers: numbers
      .filter(({ isShown }) => isShown)
      .map(({ label, value }) => ({ label, value: String(value) })),
    events: `Events joined ${joined} · Events created ${created}`,
  };
}
export type StatsView = ReturnType<typeof toStatsView>;

function toProfileValues(profile: OwnProfile): ProfileValues {
  const { ticked, otherSport } = ticksOf(profile.sportsInterests);
  return {
    firstName: profile.firstName,
    lastName: profile.lastName,
    dateOfBirth: profile.dateOfBirth,
    position: profile.position ?? "",
    nationalityCode: profile.nationalityCode ?? "",
    sports: ticked.join("\n"),
    otherSport,
    isDownToPlay: profile.isDownToPlay ? "1" : "",
  };
}

export function toChallengeView(progress: Progress) {
  const { gamesCompleted, month } = progress;
  const next = monthDay(`${monthAfter(month)}-01`);
  const done = Math.min(gamesCompleted, GOAL_GAMES);
  const state = challengeState(progress);
  return {
    state,
    done,
    goal: GOAL_GAMES,
    progress: `${done} of ${GOAL_GAMES} games`,
    message: {
      claimed: `Reward claimed: ${REWARD} are in your wallet. A new challenge starts on ${next}.`,
      earned: "Five games played this month. The reward is yours.",
      open: `This month: ${completeMore(gamesMissing(gamesCompleted))} to earn ${REWARD}.`,
    }[state],
    // Once claimed, a message replaces it.
    resets: state === "claimed" ? null : `Progress resets on ${next}.`,
  };
}

const REWARD = creditsCount(REWARD_CENTS);

export function completeMore(missing: number): string {
  return `complete ${missing} more ${missing === 1 ? "game" : "games"}`;
}
