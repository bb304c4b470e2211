import ical, { ICalCalendarMethod, ICalEventStatus, ICalEventTransparency } from "ical-generator";
import { type RawBuilder, sql } from "kysely";
import { staysIn } from "#app/features/chat/messages.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { GameLevel, GameStatus } from "#app/platform/schema.ts";
import { manyLines, oneLine } from "#app/platform/text.ts";
import {
  CANCELLATION_POLICY,
  cancelTerms,
  distinctNotes,
  soldTerms,
} from "#app/features/seats/rules.ts";
import { IS_LIVE } from "#app/features/games/held-spots.server.ts";
import { gameState } from "#app/features/games/rules.ts";
import { type BookingState, bookingState } from "./participation.ts";

type Site = Pick<Env, "appUrl" | "brandName" | "contactEmail">;

interface CalendarGame {
  id: string;
  title: string;
  description: string;
  status: GameStatus;
  format: string;
  isOutdoor: boolean;
  level: GameLevel | null;
  startsAt: Date;
  endsAt: Date;
  version: number;
  changedAt: Date;
  venue: string;
  address: string | null;
  city: string;
  isIn: boolean;
  booking: Parameters<typeof soldTerms>[0] & { created_at: string };
  notes: string[];
}

interface GameFile {
  gameId: string;
  playerId?: string;
  isAdmin?: boolean;
  now: Date;
}

/** A game as a calendar file; null where the viewer may not see its page. */
export async function findGameCalendar(
  db: Db,
  site: Site,
  { gameId, playerId, isAdmin = false, now }: GameFile,
): Promise<string | null> {
  if (!isId(gameId)) return null;
  const player = sql`${playerId ?? null}::uuid`;
  const { rows } = await sql<CalendarGame>`
    ${gamesOf(player)}
    where games.id = ${gameId} and (games.status = 'Published' or ${isAdmin}
      or exists (select from bookings where game_id = games.id and user_id = ${player}))`.execute(
    db,
  );
  return rows[0] ? writeCalendar(site, rows, now) : null;
}

const PAST_DAYS = 90;

export async function findFeedCalendar(
  db: Db,
  site: Site,
  { token, now }: { token: string; now: Date },
): Promise<string | null> {
  if (!/^[\w-]{22}$/.test(token)) return null;
  const since = new Date(now.getTime() - PAST_DAYS * 86_400_000);
  const { rows } = await sql<CalendarGame | { id: null }>`
    select game.* from calendar_feeds feed
    join users on users.id = feed.user_id and users.suspended_at is null
    left join lateral (
      ${gamesOf(sql.ref("feed.user_id"))}
      where games.id in (
          select game_id from bookings where user_id = feed.user_id
            and ${staysIn()}
        )
        and games.ends_at > ${since}
    ) game on true
    where feed.token = ${token} order by game."startsAt", game.id`.execute(db);
  if (rows.length === 0) return null;
  const games = rows.filter((row) => row.id !== null && EVENTS[stateOf(row, now)].isFollowed);
  return writeCalendar(site, games as CalendarGame[], now, {
    name: site.brandName,
    ttl: REFRESH_SECONDS,
  });
}

const REFRESH_SECONDS = 3_600;

/** The player's terms and the notes are only read with a live booking. */
const gamesOf = (player: RawBuilder<unknown>) => sql`
  select games.id, games.title, games.description, games.status, games.level, games.version,
    game_format as format, is_outdoor as "isOutdoor", starts_at as "startsAt", ends_at as "endsAt",
    greatest(games.changed_at, venues.changed_at) as "changedAt",
    venues.name as venue, venues.address, venues.city,
    mine.id is not null as "isIn",
    case when mine.id is not null then array[games.player_notes, venues.player_notes] end as notes,
    case when mine.id is not null then json_build_object('price_eur', mine.price_eur::text,
      'refund_hours', mine.refund_hours, 'refund_fee_eur', mine.refund_fee_eur::text, 'terms', mine.terms,
      'uses_free_session', mine.uses_free_session, 'created_at', mine.created_at) end as booking
  from games join venues on venues.id = games.venue_id
  left join bookings mine on mine.game_id = games.id and mine.user_id = ${player}
    and ${IS_LIVE}`;

/** The same games give the same bytes. */
function writeCalendar(
  site: Site,
  games: CalendarGame[],
  now: Date,
  feed?: { name: string; ttl: number },
): string {
  const prodId = { company: site.brandName, product: "Games", language: "EN" };
  const calendar = ical({ prodId, method: ICalCalendarMethod.PUBLISH, ...feed });
  for (const game of games) calendar.createEvent(toEvent(site, game, now));
  // The last line has to end too (RFC 5545).
  return `${calendar.toString()}\r\n`;
}

/** Times in UTC: one event needs no rules of a time zone, and every calendar shows its own. */
function toEvent(site: Site, game: CalendarGame, now: Date) {
  const { id, startsAt: start, endsAt: end, version, changedAt } = game;
  const state = stateOf(game, now);
  const isCancelled = state === "cancelled";
  const { status, terms } = EVENTS[state];
  const url = `${site.appUrl}/events/${id}`;
  return {
    ...{ id, start, end, url, sequence: version, stamp: changedAt, lastModified: changedAt },
    // Some calendars ignore the status.
    summary: inOneLine(`${isCancelled ? "Cancelled: " : ""}Football at ${game.venue}`),
    location: inOneLine([game.venue, game.address, game.city].filter(Boolean).join(", ")),
    description: manyLines(
      simpleBreaks([...paragraphs(game, terms), url].filter(Boolean).join("\n\n")),
    ),
    status,
    transparency: isCancelled ? ICalEventTransparency.TRANSPARENT : ICalEventTransparency.OPAQUE,
    // A published event has to have one (RFC 5546); without attendees it is no invitation.
    organizer: { name: site.brandName.replaceAll('"', "'"), email: site.contactEmail },
  };
}

// Some parsers end a line at these too.
const simpleBreaks = (text: string) => text.replace(/[\u2028\u2029]/g, "\n");
const inOneLine = (text: string) => oneLine(simpleBreaks(text));

const stateOf = (game: CalendarGame, now: Date) =>
  bookingState({ ...gameState(game, now), isIn: game.isIn });

const { CONFIRMED, TENTATIVE, CANCELLED } = ICalEventStatus;

/** A player's own terms come with the notes for those who are in; a feed has what is followed. */
const EVENTS = {
  cancelled: { status: CANCELLED, terms: null, isFollowed: true },
  draft: { status: TENTATIVE, terms: "policy", isFollowed: false },
  in: { status: CONFIRMED, terms: "own", isFollowed: true },
  playing: { status: CONFIRMED, terms: "own", isFollowed: true },
  "was-in": { status: CONFIRMED, terms: "policy", isFollowed: true },
  over: { status: CONFIRMED, terms: "policy", isFollowed: false },
  started: { status: CONFIRMED, terms: "policy", isFollowed: false },
  out: { status: CONFIRMED, terms: "policy", isFollowed: false },
} as const satisfies Record<BookingState, object>;

function paragraphs(game: CalendarGame, terms: (typeof EVENTS)[BookingState]["terms"]): string[] {
  const { format, isOutdoor, level, description } = game;
  const facts = [format, isOutdoor ? "outdoor" : "indoor", level?.toLowerCase()];
  return [
    game.title,
    facts.filter(Boolean).join(", "),
    description,
    ...(terms === "own" ? ownParagraphs(game) : []),
    terms === "policy" ? CANCELLATION_POLICY.join("\n") : "",
  ];
}

function ownParagraphs({ booking, notes, startsAt }: CalendarGame): string[] {
  const fromOrganiser = distinctNotes(notes).join("\n\n");
  const terms = cancelTerms(soldTerms(booking), startsAt, new Date(booking.created_at));
  return [fromOrganiser && `From the organiser:\n${fromOrganiser}`, `${terms}.`];
}
