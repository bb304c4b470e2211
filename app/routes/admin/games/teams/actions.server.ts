import { z } from "zod";
import { BIBS } from "#app/features/teams/bibs.ts";
import {
  changeBibs,
  makeTeams,
  moveToTeam,
  placeInTeams,
  publishTeams,
  removeTeams,
  type TeamsProblem,
} from "#app/features/teams/change-teams.server.ts";
import { TEAM_COUNTS, type TeamCount } from "#app/features/teams/rules.ts";
import { FieldError, formActions, type Posted } from "#app/forms/form-action.server.ts";
import { type Answer, formRows } from "#app/forms/form-rows.server.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import type { Bib } from "#app/platform/schema.ts";
import { adminOf, versionOf } from "#app/routes/admin/admin-action.server.ts";
import type { Route } from "./+types/teams";

type TeamsArgs = Route.ActionArgs & Posted;

function teamsOf(args: TeamsArgs) {
  const { gameId } = args.params;
  const app = adminOf(args);
  const change = { gameId, actorId: app.actor, version: versionOf(args.fields) };
  return { ...app, path: `/admin/games/${gameId}/teams`, change };
}

const BIB_FIELDS = ["bib-1", "bib-2", "bib-3", "bib-4"];

const errors: Record<TeamsProblem, Answer> = {
  "not-found": ["missing", "This game was not found."],
  "not-on": "This game does not take place, so it has no teams.",
  changed: "Somebody else has changed the teams. This page shows them as they are now.",
  "no-teams": "There are no such teams any more. This page shows what there is.",
  recorded: "The result is recorded, so teams are changed by hand only.",
  "too-few": "There are too few players for so many teams: each needs two.",
  gone: "This player is no longer in the game. Nothing was changed.",
};

const makeInput = z.object({
  count: z
    .enum(TEAM_COUNTS.map(String), "Choose how many teams")
    .transform((count) => Number(count) as TeamCount),
});

const row = formRows(teamsOf);

const PUBLISHED = { title: "Teams published", description: "Players see them on the game's page." };

export const teamsAction = formActions({
  make: row({
    failed: "Failed to make teams",
    keep: ["count"],
    input: makeInput,
    run: ({ db, change, input, fields, now }) =>
      makeTeams(db, {
        ...{ ...change, ...input, formKey: formKeyOf(fields.formKey) },
        publishedAt: fields.next === "roster" ? now() : null,
      }),
    errors,
    done: (_, { fields, change }) =>
      fields.next === "roster"
        ? { to: `/admin/games/${change.gameId}`, ...PUBLISHED }
        : { title: "Teams made", description: "Players see them once you publish them." },
  }),
  move: row({
    failed: "Failed to move player",
    run: ({ db, change, fields: { bookingId = "", team = "" } }) =>
      moveToTeam(db, { ...change, bookingId, team: Number(team) }),
    errors,
    done: (_, { path, fields }) => ({ to: `${path}#player-${fields.bookingId ?? ""}` }),
  }),
  place: row({
    failed: "Failed to place players",
    run: ({ db, change }) => placeInTeams(db, change),
    errors,
    done: { title: "Everybody is in a team" },
  }),
  publish: row({
    failed: "Failed to publish teams",
    run: ({ db, change, now }) => publishTeams(db, { ...change, isPublished: true, now: now() }),
    errors,
    done: (_, { fields, path, change }) => ({
      to: fields.next === "roster" ? `/admin/games/${change.gameId}` : path,
      ...PUBLISHED,
    }),
  }),
  unpublish: row({
    failed: "Failed to unpublish teams",
    run: ({ db, change, now }) => publishTeams(db, { ...change, isPublished: false, now: now() }),
    errors,
    done: { title: "Teams unpublished", description: "Only organisers see them." },
  }),
  bibs: row({
    failed: "Failed to save bibs",
    keep: BIB_FIELDS,
    input: readBibs,
    run: ({ db, change, input: bibs }) => changeBibs(db, { ...change, bibs }),
    errors,
    done: { title: "Bibs saved" },
  }),
  remove: row({
    failed: "Failed to remove teams",
    run: ({ db, change }) => removeTeams(db, change),
    errors,
    done: { title: "Teams removed" },
  }),
});

/** One for each field, all different. */
function readBibs({ fields }: Posted): Bib[] {
  const bibs: Bib[] = [];
  for (const name of BIB_FIELDS) {
    const value = fields[name];
    if (value === undefined) continue;
    const bib = BIBS.find((one) => one === value);
    if (!bib) throw new FieldError({ [name]: "Choose the bibs of this team" });
    if (bibs.includes(bib)) throw new FieldError({ [name]: "Another team has these already" });
    bibs.push(bib);
  }
  return bibs;
}
