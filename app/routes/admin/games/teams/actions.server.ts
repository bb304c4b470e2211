import { redirect } from "react-router";
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
import {
  fail,
  FieldError,
  formActions,
  parseForm,
  type Posted,
} from "#app/forms/form-action.server.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import type { Bib } from "#app/platform/schema.ts";
import { adminOf, versionOf } from "#app/routes/admin/admin-action.server.ts";
import type { Route } from "./+types/teams";

type TeamsArgs = Route.ActionArgs & Posted;

const PUBLISH = { failed: "Failed to publish teams", run: publish };
const BIB_FIELDS = ["bib-1", "bib-2", "bib-3", "bib-4"];

export const teamsAction = formActions({
  make: { failed: "Failed to make teams", keep: ["count"], run: make },
  move: { failed: "Failed to move player", run: move },
  place: { failed: "Failed to place players", run: place },
  publish: PUBLISH,
  unpublish: { ...PUBLISH, failed: "Failed to unpublish teams" },
  bibs: { failed: "Failed to save bibs", keep: BIB_FIELDS, run: wear },
  remove: { failed: "Failed to remove teams", run: remove },
});

function teamsOf(args: TeamsArgs) {
  const { gameId } = args.params;
  const app = adminOf(args);
  const path = `/admin/games/${gameId}/teams`;
  const done = (title: string, description?: string) => app.done(path, title, description);
  const change = { gameId, actorId: app.actor, version: versionOf(args.fields) };
  return { app, path, change, done };
}

const makeInput = z.object({
  count: z
    .enum(TEAM_COUNTS.map(String), "Choose how many teams")
    .transform((count) => Number(count) as TeamCount),
});

async function make(args: TeamsArgs) {
  const { app, change, done } = teamsOf(args);
  const { count } = parseForm(makeInput, args.fields);
  const formKey = formKeyOf(args.fields.formKey);
  const result = await makeTeams(app.db, { ...change, count, formKey });
  if (!result.ok) return failTeams(result.reason);
  return done("Teams made", "Players see them once you publish them.");
}

async function move(args: TeamsArgs) {
  const { app, path, change } = teamsOf(args);
  const { bookingId = "", team = "" } = args.fields;
  const result = await moveToTeam(app.db, { ...change, bookingId, team: Number(team) });
  return result.ok ? redirect(`${path}#player-${bookingId}`) : failTeams(result.reason);
}

async function place(args: TeamsArgs) {
  const { app, change, done } = teamsOf(args);
  const result = await placeInTeams(app.db, change);
  return result.ok ? done("Everybody is in a team") : failTeams(result.reason);
}

async function publish(args: TeamsArgs) {
  const { app, path, change, done } = teamsOf(args);
  const isPublished = args.fields.intent === "publish";
  const result = await publishTeams(app.db, { ...change, isPublished, now: app.now() });
  if (!result.ok) return failTeams(result.reason);
  if (!isPublished) return done("Teams unpublished", "Only organisers see them.");
  const to = args.fields.next === "roster" ? `/admin/games/${change.gameId}` : path;
  return app.done(to, "Teams published", "Players see them on the game's page.");
}

async function wear(args: TeamsArgs) {
  const { app, change, done } = teamsOf(args);
  const result = await changeBibs(app.db, { ...change, bibs: readBibs(args.fields) });
  return result.ok ? done("Bibs saved") : failTeams(result.reason);
}

/** One for each field, all different. */
function readBibs(fields: Posted["fields"]): Bib[] {
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

async function remove(args: TeamsArgs) {
  const { app, change, done } = teamsOf(args);
  const result = await removeTeams(app.db, change);
  return result.ok ? done("Teams removed") : failTeams(result.reason);
}

const ERRORS: Record<TeamsProblem, [status: number, message: string]> = {
  "not-found": [404, "This game was not found."],
  "not-on": [409, "This game does not take place, so it has no teams."],
  changed: [409, "Somebody else has changed the teams. This page shows them as they are now."],
  "no-teams": [409, "There are no such teams any more. This page shows what there is."],
  recorded: [409, "The result is recorded, so teams are changed by hand only."],
  "too-few": [409, "There are too few players for so many teams: each needs two."],
  gone: [409, "This player is no longer in the game. Nothing was changed."],
};

function failTeams(reason: TeamsProblem) {
  const [status, formError] = ERRORS[reason];
  return fail(status, { formError });
}
