import type { GameLevel } from "#app/platform/schema.ts";
import type { VenueSlug } from "./venues.ts";

export interface PlannedGame {
  /** Days from today by Helsinki's calendar. */
  day: number;
  venue: VenueSlug;
  start: string;
  end: string;
  spots: number;
  joined: number;
  isFree?: boolean;
  /** Where the demo player is booked. */
  withPlayer?: boolean;
  status?: "Draft" | "Cancelled";
  description?: string;
  level?: GameLevel;
  /** Only where they are in, or late in the two weeks; the last game is a model for new ones. */
  minPlayers?: number;
}

const OUTDOOR: VenueSlug[] = ["toolo-cage", "arabia-shore", "myyrmaki-winter"];
export const isOutdoor = (venue: VenueSlug) => OUTDOOR.includes(venue);

const LATE = { start: "20:00", end: "21:30" };
const EVENING = { start: "18:00", end: "19:30" };
const NOON = { start: "12:00", end: "13:00" };

/** 22 games to come, one cancelled and one draft: every state that a list can show. */
export const UPCOMING: PlannedGame[] = [
  { day: 1, venue: "otaniemi-hall", ...EVENING, spots: 10, joined: 10 },
  {
    day: 1,
    venue: "toolo-cage",
    ...LATE,
    spots: 10,
    joined: 9,
    minPlayers: 8,
    level: "Competitive",
    description: "Fast five-a-side. Bring a dark and a light shirt.",
  },
  {
    day: 2,
    venue: "kumpula-bubble",
    ...EVENING,
    spots: 12,
    joined: 4,
    isFree: true,
    level: "Relaxed",
    description:
      "New here? Your first session is on us. All levels, relaxed tempo, someone meets you at the door.",
  },
  { day: 2, venue: "tapiola-court", ...LATE, spots: 10, joined: 8, level: "All levels" },
  { day: 3, venue: "toolo-cage", ...EVENING, spots: 12, joined: 5, level: "Competitive" },
  { day: 3, venue: "arabia-shore", ...NOON, spots: 14, joined: 6 },
  { day: 4, venue: "tikkurila-arena", ...EVENING, spots: 14, joined: 7, level: "All levels" },
  {
    day: 4,
    venue: "otaniemi-hall",
    ...LATE,
    spots: 10,
    joined: 6,
    withPlayer: true,
    level: "All levels",
    description: "The weekly hall game. We mix the teams at half-time.",
  },
  {
    day: 5,
    venue: "myyrmaki-winter",
    ...EVENING,
    spots: 12,
    joined: 3,
    level: "Relaxed",
    description: "Heated turf, snow at the sides. Gloves help.",
  },
  {
    day: 6,
    venue: "kumpula-bubble",
    ...NOON,
    spots: 12,
    joined: 2,
    isFree: true,
    level: "Relaxed",
  },
  { day: 6, venue: "tapiola-court", ...EVENING, spots: 10, joined: 4 },
  { day: 7, venue: "toolo-cage", ...EVENING, spots: 10, joined: 7, level: "Competitive" },
  { day: 7, venue: "tikkurila-arena", ...LATE, spots: 14, joined: 9 },
  { day: 8, venue: "otaniemi-hall", ...EVENING, spots: 10, joined: 5, level: "All levels" },
  { day: 8, venue: "arabia-shore", ...NOON, spots: 14, joined: 4 },
  { day: 9, venue: "kumpula-bubble", ...LATE, spots: 12, joined: 6, level: "Relaxed" },
  { day: 10, venue: "tapiola-court", ...EVENING, spots: 10, joined: 10 },
  { day: 10, venue: "myyrmaki-winter", ...NOON, spots: 12, joined: 5 },
  { day: 11, venue: "toolo-cage", ...LATE, spots: 10, joined: 0, minPlayers: 6 },
  { day: 12, venue: "tikkurila-arena", ...EVENING, spots: 14, joined: 3, level: "All levels" },
  { day: 12, venue: "otaniemi-hall", ...LATE, spots: 10, joined: 2 },
  { day: 13, venue: "kumpula-bubble", ...EVENING, spots: 12, joined: 1 },
  { day: 5, venue: "tapiola-court", ...LATE, spots: 10, joined: 4, status: "Cancelled" },
  { day: 9, venue: "tikkurila-arena", ...NOON, spots: 14, joined: 0, status: "Draft" },
];
