import { findCountry } from "#app/features/players/countries.server.ts";
import type { OwnProfile, PublicProfile } from "#app/features/players/profiles.server.ts";
import { ageOn, POSITIONS, ticksOf } from "#app/features/players/rules.ts";

/** What a profile shows of a player to everybody who is signed in. */
export function showPublic(profile: PublicProfile) {
  const { firstName, lastName, profilePictureUrl, schoolYear, major } = profile;
  const { position, nationality, nationalityCode, isDownToPlay, sportsInterests } = profile;
  return {
    name: `${firstName} ${lastName}`.trim(),
    profilePictureUrl,
    schoolYear,
    major,
    position: position && { key: position, name: POSITIONS[position] },
    country: nationality ? { name: nationality, flag: flagOf(nationalityCode) } : null,
    isDownToPlay,
    sportsInterests,
  };
}
export type PublicWords = ReturnType<typeof showPublic>;

/** The address of a country's flag; null where there is no picture of one. */
function flagOf(code: string | null): string | null {
  return code && findCountry(code) ? `/flags/${code}.svg` : null;
}

/** The age of a profile's player; `today` is "YYYY-MM-DD". */
export function ageText({ dateOfBirth }: OwnProfile, today: string): string {
  return `${ageOn(dateOfBirth, today)} years`;
}

/** What the profile dialog starts with, by the names of its fields. */
export function formValues(profile: OwnProfile) {
  const { ticked, otherSport } = ticksOf(profile.sportsInterests);
  return {
    firstName: profile.firstName,
    lastName: profile.lastName,
    dateOfBirth: profile.dateOfBirth,
    position: profile.position ?? "",
    nationalityCode: profile.nationalityCode ?? "",
    isDownToPlay: profile.isDownToPlay,
    sports: ticked,
    otherSport,
  };
}
export type ProfileValues = ReturnType<typeof formValues>;
