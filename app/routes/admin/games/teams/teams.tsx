import { randomUUID } from "node:crypto";
import { data } from "react-router";
import { BIBS, bibName } from "#app/features/teams/bibs.ts";
import { findPlannedGame } from "#app/features/games/admin-games.server.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { FormKey } from "#app/forms/form-key.tsx";
import { fieldProps, type FormResult, resultOf } from "#app/forms/form-result.ts";
import { ChoiceField } from "#app/routes/admin/choice-field.tsx";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { AdminPage, Panel } from "#app/routes/admin/page.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { missingBoundary } from "#app/routes/error-screens.tsx";
import { metaOf } from "#app/routes/meta.ts";
import { Badge } from "#app/ui/badge.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { Dialog, DialogClose, DialogTrigger } from "#app/ui/dialog.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { Route } from "./+types/teams";
import { teamsAction } from "./actions.server.ts";
import { Team, Unplaced, useMovedFocus } from "./team-lists.tsx";
import { loadTeamsView, type TeamsView } from "./view.server.ts";

export async function loader({ params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const found = await findPlannedGame(app.db, params.gameId);
  if (!found) throw data(null, 404);
  return { view: await loadTeamsView(app, found), formKey: randomUUID() };
}

export const action = teamsAction;

export const meta = metaOf({ title: "Teams" });

export const ErrorBoundary = missingBoundary("Game not found", "/admin/games", "Back to Games");

export default function Teams({ loaderData, actionData: result }: Route.ComponentProps) {
  const { view } = loaderData;
  const { teams, isPublished, isOn, isRecorded } = view;
  const hasTeams = teams.length > 0;
  useMovedFocus(view.version);
  return (
    <AdminPage
      back={{ to: `/admin/games/${view.gameId}`, label: view.title }}
      title="Teams"
      about={`${view.when} · ${view.joined} in${view.leftOut}`}
      aside={
        hasTeams && (
          <Badge tone={isPublished ? "green" : "neutral"}>
            {isPublished ? "Published" : "Not published"}
          </Badge>
        )
      }
      className="grid gap-6"
    >
      {result && !(result.form === "bibs" && hasTeams) && <FormErrors result={result} />}
      {isRecorded && hasTeams && (
        <Notice title="The result is recorded">
          Move players by hand if somebody played in another team: who has won follows.
        </Notice>
      )}
      {hasTeams && <TeamsActions view={view} />}
      {hasTeams && view.unplaced.length > 0 && <Unplaced view={view} />}
      {hasTeams && (
        <div className="grid items-start gap-4 md:grid-cols-2">
          {teams.map((team) => (
            <Team key={team.number} team={team} view={view} />
          ))}
        </div>
      )}
      {isOn && !isRecorded && <MakeTeams view={view} result={resultOf(result, "make")} />}
      {hasTeams && isOn && (
        <Bibs key={view.version} view={view} result={resultOf(result, "bibs")} />
      )}
      {!hasTeams && (!isOn || isRecorded) && (
        <EmptyState>
          {isOn ? "The result was recorded without teams." : "This game does not take place."}
        </EmptyState>
      )}
    </AdminPage>
  );
}

type ViewProps = { view: TeamsView };

function TeamsActions({ view }: ViewProps) {
  const { version, isPublished, gameId, counts, teams } = view;
  // At the pitch the roster, with the result, comes next.
  const next = view.isMatchDay && !isPublished ? "roster" : "";
  const canMake = view.isOn && !view.isRecorded;
  return (
    <div className="grid grid-cols-2 gap-3 md:flex md:flex-wrap">
      {view.isOn && (
        <IntentForm intent={isPublished ? "unpublish" : "publish"} hidden={{ version, next }}>
          <SubmitButton variant={isPublished ? "secondary" : "primary"}>
            {isPublished ? "Unpublish" : "Publish"}
          </SubmitButton>
        </IntentForm>
      )}
      {canMake && counts.some((count) => count === teams.length) && (
        <IntentForm intent="make" hidden={{ version, count: teams.length }}>
          <FormKey />
          <SubmitButton pendingLabel="Making…">Make again</SubmitButton>
        </IntentForm>
      )}
      <ButtonLink to={`/admin/games/${gameId}/print`}>Print</ButtonLink>
      {canMake && <RemoveDialog version={version} />}
    </div>
  );
}

function RemoveDialog({ version }: { version: number }) {
  const dialog = "remove-teams";
  return (
    <>
      <DialogTrigger dialog={dialog} variant="quiet">
        Remove teams
      </DialogTrigger>
      <Dialog id={dialog} title="Remove the teams?">
        <IntentForm intent="remove" hidden={{ version }}>
          <p>Players stay in the game. The result then asks again who has won.</p>
          <div className="flex flex-wrap justify-end gap-3 max-md:*:grow">
            <DialogClose dialog={dialog}>Keep the teams</DialogClose>
            <SubmitButton variant="danger" pendingLabel="Removing…">
              Remove teams
            </SubmitButton>
          </div>
        </IntentForm>
      </Dialog>
    </>
  );
}

function MakeTeams({ view, result }: ViewProps & { result: FormResult | undefined }) {
  const { counts, teams, version } = view;
  const count = String(teams.length || 2);
  const title = teams.length > 0 ? "Make other teams" : "Make teams";
  if (counts.length === 0) {
    return (
      <Panel title={title}>
        <p>{`Teams need at least ${view.needed} players; ${view.playing} so far.`}</p>
      </Panel>
    );
  }
  return (
    <Panel
      title={title}
      about="Balanced by position and level, friends together. Level is the share of recorded games won; newcomers have 50."
    >
      <IntentForm
        key={count}
        intent="make"
        hidden={{ version }}
        className="grid items-end gap-3 sm:grid-cols-[12rem_auto] sm:justify-start"
      >
        <FormKey />
        <ChoiceField
          {...fieldProps(result, "count", count)}
          label="How many teams"
          choices={counts.map((each) => [String(each), `${each} teams`] as const)}
        />
        <SubmitButton
          variant={teams.length > 0 ? "secondary" : "primary"}
          pendingLabel="Making…"
          className="min-h-12"
        >
          Make teams
        </SubmitButton>
      </IntentForm>
      {view.isPublished && (
        <p className="text-sm text-muted">
          New teams are hidden from players until you publish them.
        </p>
      )}
    </Panel>
  );
}

function Bibs({ view, result }: ViewProps & { result: FormResult | undefined }) {
  const choices = BIBS.map((bib) => [bib, bibName(bib)] as const);
  return (
    <Panel title="Bibs">
      <IntentForm intent="bibs" hidden={{ version: view.version }} result={result}>
        <div className="grid gap-4 sm:grid-cols-2">
          {view.teams.map(({ number, bib }) => (
            <ChoiceField
              key={number}
              {...fieldProps(result, `bib-${number}`, bib)}
              label={`Team ${number}`}
              choices={choices}
            />
          ))}
        </div>
        <SubmitButton className="justify-self-start">Save bibs</SubmitButton>
      </IntentForm>
    </Panel>
  );
}
