import { z } from "zod";
import { editGame } from "#app/features/organise/edit-game.server.ts";
import { createGames } from "#app/features/games/create-games.server.ts";
import { planInput, seriesInput } from "#app/features/games/input.ts";
import { weeklySlots } from "#app/features/games/time-slots.ts";
import { playersText } from "#app/features/games/rules.ts";
import type { GamePlan } from "#app/features/games/plan.ts";
import { findVenueNames } from "#app/features/venues/venues.server.ts";
import { formAction, parseForm, type Posted } from "#app/forms/form-action.server.ts";
import { textsOf } from "#app/forms/form-fields.server.ts";
import type { FieldErrors, FormResult } from "#app/forms/form-result.ts";
import { rejected } from "#app/forms/form-rows.server.ts";
import { NOTHING_SAVED, PROCESS_FAILED } from "#app/forms/messages.ts";
import { weekdayAndTime } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import { euros } from "#app/platform/money.ts";
import { adminRows, fieldDiff, versionOf } from "#app/routes/admin/admin-action.server.ts";
import { heldText } from "#app/routes/admin/games/held-view.ts";
import {
  type ConfirmationView,
  toConfirmation,
  toEditConfirmation,
} from "./confirmation.server.ts";
import { formatDay } from "#app/routes/admin/games/game-view.server.ts";

/** Has `asks` if it must be confirmed first; `asked` is the button of a new game. */
export type PlanResult = FormResult & { confirmation?: ConfirmationView; asked?: string };

const planRow = adminRows<PlanResult>();

const KEPT = [
  ...Object.keys(planInput.in.shape),
  "weeks",
  "leftOut",
  "shownDates",
  "scope",
  "version",
];

const wrong = (fieldErrors: FieldErrors) => ["invalid", { fieldErrors }] as const;
type On = { date: string };

const PLAN_ERRORS = {
  "no-venue": wrong({ venueId: "Choose a venue" }),
  past: ({ date }: On) => wrong({ date: `${formatDay(date)}: a game must start in the future.` }),
  "no-such-time": ({ date, time }: On & { time: string }) =>
    wrong({
      startTime:
        `${time} does not exist on ${formatDay(date)}: ` +
        "the clocks go forward that night. Choose another time.",
    }),
  "decision-over": ({ at }: { at: Date }) =>
    wrong({
      decidesHours:
        `${weekdayAndTime(at)} is over. ` +
        "Choose fewer hours, so that it is decided in the future.",
    }),
  "minimum-too-high": ({ date, maxPlayers }: On & { maxPlayers: number }) =>
    wrong({
      minPlayers: `The game on ${formatDay(date)} has ${maxPlayers} spots: the minimum cannot be higher.`,
    }),
};

/** Without scripts a page knows the dates of a series only once it has been sent. */
function hasUnseenDates(plan: GamePlan, weeks: number, shown: string | undefined): boolean {
  if (shown === undefined || weeks === 1) return false;
  return weeklySlots(plan, weeks).some(({ date }) => !shown.split(",").includes(date));
}

const CLOSED = "This game can no longer be changed.";
const STATUSES = { publish: "Published", draft: "Draft" } as const;

export const createAction = formAction(
  planRow({
    ...{ failed: "Failed to create game", formError: NOTHING_SAVED, keep: KEPT },
    run: async ({ db, now, actor: actorId, fields, form: sent }) => {
      const { confirmed } = fields;
      const button = buttonOf(fields);
      if (!button) return rejected("unknown-button");
      // A box for each date.
      const typed = { ...fields, leftOut: textsOf(sent, "leftOut").join(",") };
      const { weeks, leftOut, ...plan } = parseForm(planInput.and(seriesInput), typed);
      if (hasUnseenDates(plan, weeks, fields.shownDates)) return rejected("unseen-dates");
      const series = { weeks, leftOut, continues: fields.continues };
      const form = { formKey: formKeyOf(fields.formKey), confirmed };
      return createGames(db, {
        ...{ plan, ...series, status: STATUSES[button], actorId, ...form, now: now() },
      });
    },
    errors: {
      ...PLAN_ERRORS,
      "unseen-dates": wrong({
        weeks: "These are its dates. Tick those to leave out, then press the button again.",
      }),
      "no-dates": wrong({ weeks: "Every date is left out. Keep one of them." }),
      "no-series": ["missing", "This series was not found."],
      "unknown-button": ["incomplete", PROCESS_FAILED.description],
      "form-used": {
        fieldErrors: {
          title: "This form has created another game before. Send it again for one more.",
        },
      },
      unconfirmed: ({ warnings, key }, { fields }) => {
        const asked = buttonOf(fields);
        const button = asked === "publish" ? "Publish anyway" : "Save as draft anyway";
        return ["ok", { confirmation: toConfirmation(warnings, key, button), asked }];
      },
    },
    done: ({ gameIds }, { fields }) => ({
      to: `/admin/games/${gameIds[0]}`,
      title: gameIds.length > 1 ? `${gameIds.length} games created` : "Game created",
      description:
        buttonOf(fields) === "publish" ? "Players can join now." : "Only organisers see a draft.",
    }),
  }),
);

export const editAction = formAction(
  planRow({
    ...{ failed: "Failed to save game", formError: NOTHING_SAVED, keep: KEPT },
    input: planInput,
    run: ({ db, jobs, now, actor: actorId, params: { gameId = "" }, fields, input: plan }) =>
      editGame(db, jobs, {
        ...{ gameId, actorId, version: versionOf(fields), plan, now: now() },
        withFollowing: fields.scope === "following",
        confirmed: fields.confirmed,
        askedAt: fields.confirmed ? askedAt.parse(fields.askedAt) : null,
        ...(fields.intent === "preview"
          ? { isPreview: true }
          : { formKey: formKeyOf(fields.formKey) }),
      }),
    errors: {
      ...PLAN_ERRORS,
      "no-question": ["ok", {}],
      "not-found": ["missing", "This game was not found."],
      closed: CLOSED,
      started: CLOSED,
      changed: async ({ current, version }, { db, input }) => ({
        conflict: { version, differences: await planDifferences(db, current, input) },
      }),
      unconfirmed: async (found, { db, now, fields }) => {
        const again = { isAgain: !!fields.confirmed, now: now() };
        return ["ok", { confirmation: await toEditConfirmation(db, { ...found, ...again }) }];
      },
      "too-few-seats": ({ held, players, date }) => {
        const heldFor = heldText(held);
        const kept = heldFor && `, and ${heldFor},`;
        const taken = `${playersText(players)} already in${kept} on ${formatDay(date)}`;
        return wrong({ maxPlayers: `${taken}: the game cannot be smaller.` });
      },
      "cannot-shift": ({ date }) =>
        wrong({
          startTime: `The game on ${formatDay(date)} has another length and cannot shift by as much.`,
        }),
    },
    done: ({ games, notified }, { params }) => {
      const emailed = notified > 0 ? `${playersText(notified)} notified.` : undefined;
      return {
        to: `/admin/games/${params.gameId}`,
        title: games > 1 ? `${games} games saved` : "Game saved",
        description: games === 0 ? "Nothing was changed." : emailed,
      };
    },
  }),
);

/** Time in the question's form; null for anything else. */
const askedAt = z.iso
  .datetime()
  .transform((asked) => new Date(asked))
  .nullable()
  .catch(null);

// The confirming button has another name: `asked` is what was to be done.
function buttonOf({ confirmed, asked, intent }: Posted["fields"]) {
  const button = confirmed ? asked : intent;
  return button === "publish" || button === "draft" ? button : undefined;
}

const LABELS: Record<keyof GamePlan, string> = {
  title: "Title",
  description: "Description",
  sport: "Sport",
  date: "Date",
  startTime: "Start",
  endTime: "End",
  venueId: "Venue",
  maxPlayers: "Max players",
  gameFormat: "Format",
  isOutdoor: "Surroundings",
  priceCents: "Price",
  isFirstSessionFree: "First session free",
  level: "Level",
  playerNotes: "Notes for players",
  minPlayers: "Minimum players",
  decidesHours: "Decided, hours before",
};

async function planDifferences(db: Db, theirs: GamePlan, yours: GamePlan) {
  const venues = await findVenueNames(db, [theirs.venueId, yours.venueId]);
  const readable = (plan: GamePlan) => ({
    ...plan,
    date: formatDay(plan.date),
    venueId: venues.get(plan.venueId) ?? "",
    maxPlayers: String(plan.maxPlayers),
    isOutdoor: plan.isOutdoor ? "Outdoor" : "Indoor",
    priceCents: euros(plan.priceCents),
    isFirstSessionFree: plan.isFirstSessionFree ? "Yes" : "No",
    level: plan.level ?? "",
    minPlayers: String(plan.minPlayers ?? ""),
    decidesHours: String(plan.decidesHours),
  });
  return fieldDiff(LABELS, readable(theirs), readable(yours));
}
