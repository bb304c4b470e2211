import { folded, seen } from "#app/platform/text.ts";

export const YEARS_OF_STUDY = ["Bachelor", "Master", "Doctoral", "Exchange"] as const;
export const MINIMUM_AGE = 16;

export const POSITIONS = {
  GK: "Goalkeeper",
  DEF: "Defender",
  MID: "Midfielder",
  FWD: "Forward",
} as const;
export type Position = keyof typeof POSITIONS;

export const SPORTS = [
  ...["Football", "Futsal", "Basketball", "Volleyball", "Floorball", "Badminton", "Tennis"],
  "Other",
];
const OTHER = "Other";
export const OTHER_SPORT_MAX = 50;
export const PHONE_MAX = 30;

export const PICTURE_MAX_BYTES = 5 * 1024 * 1024;
export const NO_PICTURE = "Please select a JPG or PNG image";
export const PICTURE_TOO_LARGE = "Image must be smaller than 5MB";

// The range goes by the difference of the years and comes first, the minimum by the birthday
// (specification, section 5). Born on 29 February, one is a year older on 1 March.
export function signUpAgeProblem(dateOfBirth: string, today: string): string | null {
  const years = Number(today.slice(0, 4)) - Number(dateOfBirth.slice(0, 4));
  if (years < 13 || years > 120) return "You must be between 13 and 120 years old";
  if (ageOn(dateOfBirth, today) >= MINIMUM_AGE) return null;
  return `You must be at least ${MINIMUM_AGE} years old to create an account.`;
}

export function ageOn(dateOfBirth: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(dateOfBirth.slice(0, 4));
  return today.slice(5) < dateOfBirth.slice(5) ? years - 1 : years;
}

/** `email` in lower case; subdomains count. */
export function isSchoolEmail(email: string, domains: string[]): boolean {
  const domain = email.slice(email.lastIndexOf("@") + 1);
  return domains.some((school) => domain === school || domain.endsWith(`.${school}`));
}

export function schoolEmailHint(domains: string[]): string {
  const list = new Intl.ListFormat("en", { type: "disjunction" }).format(domains);
  return `Your school address, which ends in ${list}.`;
}

/** No language puts more than three marks on a character; more would cover the text around it. Some
 * letters and marks are blank, such as the Hangul filler. */
export function isName(name: string): boolean {
  const letters = name.replace(/\u200c|\u200d/g, "");
  const isWritten = /^[\p{L}\p{M} '-]+$/u.test(letters) && /\p{L}/u.test(letters);
  const isSeen = seen(name) === name.normalize("NFC");
  return isWritten && isSeen && !/[\p{Mn}\p{Me}]{4}/u.test(name.normalize("NFD"));
}

/** What stands in place of a name: nobody may be called so, in phonetic letters either. */
export function isOfTheSite(name: string): boolean {
  const plain = folded(name).replace(/[ᴀɑᴄᴅᴇɢɡɪɩᴋʟᴍɴᴏᴘʀꜱᴛᴜʏᴢʙ]/g, (letter) => PHONETIC[letter]!);
  return /(^|[ '-])(organi[sz]ers?|deleted player|kickabout|admin)($|[ '-])/u.test(plain);
}

const PHONETIC: Record<string, string> = {
  ...{ ᴀ: "a", ɑ: "a", ᴄ: "c", ᴅ: "d", ᴇ: "e", ɢ: "g", ɡ: "g", ɪ: "i", ɩ: "i", ᴋ: "k", ʟ: "l" },
  ...{ ᴍ: "m", ɴ: "n", ᴏ: "o", ᴘ: "p", ʀ: "r", ꜱ: "s", ᴛ: "t", ᴜ: "u", ʏ: "y", ᴢ: "z", ʙ: "b" },
};

export function interestsOf(ticked: string[], otherSport: string): string[] {
  const listed = SPORTS.filter((sport) => sport !== OTHER && ticked.includes(sport));
  if (!ticked.includes(OTHER)) return listed;
  const lower = otherSport.toLowerCase();
  const known = SPORTS.find((sport) => sport.toLowerCase() === lower);
  return [...new Set([...listed, known ?? (otherSport || OTHER)])];
}

export function ticksOf(interests: string[]): { ticked: string[]; otherSport: string } {
  const ticked = SPORTS.filter((sport) => interests.includes(sport));
  const own = interests.find((interest) => !SPORTS.includes(interest));
  return own ? { ticked: [...ticked, OTHER], otherSport: own } : { ticked, otherSport: "" };
}
