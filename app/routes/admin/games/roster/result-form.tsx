import { Link } from "react-router";
import { BibLabel } from "#app/features/teams/bib-label.tsx";
import { bibName } from "#app/features/teams/bibs.ts";
import { FormKey } from "#app/forms/form-key.tsx";
import { editedVersion, fieldProps, type FormResult } from "#app/forms/form-result.ts";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { Part, panelClass } from "#app/routes/admin/page.tsx";
import { Dialog, DialogClose, DialogTrigger } from "#app/ui/dialog.tsx";
import { TextField } from "#app/ui/field.tsx";
import type { Roster, RosterPlayer } from "#app/routes/admin/games/game-view.server.ts";
import { SCORE_FIELDS, scoresOf } from "#app/features/teams/result-rules.ts";

type ResultProps = { roster: Roster; result: FormResult | undefined };

/** For the player cards; can be changed later. With teams the score says who won. */
export function ResultForm({ roster, result }: ResultProps) {
  const { result: recorded, teams } = roster;
  const labels = teams.length > 0 ? teams.map(({ bib }) => bibName(bib)) : ["Team A", "Team B"];
  return (
    <Part title="Result" about={aboutOf(roster)}>
      <IntentForm
        intent="result"
        hidden={{
          version: editedVersion(result, recorded?.version ?? 0),
          teamsVersion: roster.teamsVersion,
        }}
        result={result}
        action={roster.path}
        preventScrollReset
        className={panelClass}
      >
        <div className="grid grid-cols-2 items-start gap-4">
          {SCORE_FIELDS.slice(0, labels.length).map((name, index) => (
            <TextField
              key={name}
              {...fieldProps(result, name, recorded?.[name]?.toString())}
              label={labels[index]}
              inputMode="numeric"
              pattern="[0-9]{1,2}"
              required
            />
          ))}
        </div>
        {teams.length > 2 && (
          <p className="text-sm text-muted">Goals or won matches: the highest has won.</p>
        )}
        {teams.length > 0 ? (
          <TeamScorers roster={roster} result={result} />
        ) : (
          <Scorers players={roster.players} result={result} hasTicks />
        )}
        <SaveButtons players={roster.players} />
      </IntentForm>
      {recorded ? (
        <TakeBackForm roster={roster} version={recorded.version} />
      ) : (
        <KeepsResultForm roster={roster} />
      )}
    </Part>
  );
}

/** A played game is complete with one tap. Enter presses the first: somebody may not have come. */
function SaveButtons({ players }: { players: RosterPlayer[] }) {
  const rest = players.filter(({ attendance }) => attendance === null);
  const others = rest.length === players.length ? `all ${rest.length}` : `the other ${rest.length}`;
  return (
    <div className="flex flex-wrap gap-3 *:grow">
      <SubmitButton variant="primary">Save result</SubmitButton>
      {rest.length > 0 && (
        <>
          <FormKey />
          <input
            type="hidden"
            name="bookingIds"
            value={rest.map(({ bookingId }) => bookingId).join()}
          />
          <SubmitButton name="withRest" value="1">
            Save, and check in {rest.length === 1 ? rest[0]!.name : others}
          </SubmitButton>
        </>
      )}
    </div>
  );
}

function aboutOf({ result, teams, keepsResult }: Roster): string {
  if (!result && !keepsResult) return "No result was kept.";
  const winners = teams.length > 0 ? " The score says which team has won." : "";
  if (!result) return `Not recorded yet. Goals and wins go to the player cards.${winners}`;
  return `${scoresOf(result).join("–")} is recorded. You can change it.${winners}`;
}

function TeamScorers({ roster, result }: ResultProps) {
  const { players, teams } = roster;
  const rest = players.filter(({ team }) => team === null);
  return (
    <>
      {teams.map(({ number, bib }) => (
        <div key={number}>
          <h4 className="font-bold">
            <BibLabel bib={bib} />
          </h4>
          <Scorers players={players.filter(({ team }) => team === number)} result={result} />
        </div>
      ))}
      {rest.length > 0 && (
        <div>
          <h4 className="font-bold">Not in a team</h4>
          <p className="text-sm text-muted">
            They have not won.{" "}
            {rest.some(({ attendance }) => attendance !== "NoShow") && (
              <Link
                to={`${roster.path}/teams`}
                className="inline-flex min-h-11 items-center underline"
              >
                Place them in a team
              </Link>
            )}
          </p>
          <Scorers players={rest} result={result} />
        </div>
      )}
    </>
  );
}

/** Takes the game off the list of what is to be done, and puts it back. */
function KeepsResultForm({ roster: { path, keepsResult } }: Pick<ResultProps, "roster">) {
  return (
    <IntentForm
      intent="keeps-result"
      hidden={{ keeps: keepsResult ? "0" : "1" }}
      action={path}
      preventScrollReset
      className="justify-self-start"
    >
      <SubmitButton variant="quiet">
        {keepsResult ? "No result was kept" : "A result was kept after all"}
      </SubmitButton>
    </IntentForm>
  );
}

function TakeBackForm({ roster, version }: Pick<ResultProps, "roster"> & { version: number }) {
  const dialog = "take-back-result";
  return (
    <>
      <DialogTrigger dialog={dialog} variant="quiet" className="justify-self-start">
        Take back result
      </DialogTrigger>
      <Dialog id={dialog} title="Take back the result?">
        <IntentForm
          intent="remove-result"
          hidden={{ version }}
          action={roster.path}
          preventScrollReset
        >
          <p>Score, goals and wins go, from the player cards too. Check-ins stay.</p>
          <div className="flex flex-wrap justify-end gap-3 max-md:*:grow">
            <DialogClose dialog={dialog}>Keep it</DialogClose>
            <SubmitButton variant="danger">Take back the result</SubmitButton>
          </div>
        </IntentForm>
      </Dialog>
    </>
  );
}

type ScorersProps = Pick<ResultProps, "result"> & { hasTicks?: boolean };

function Scorers({ players, ...row }: ScorersProps & { players: RosterPlayer[] }) {
  return (
    <ul className="grid">
      {players.map((player) => (
        <ScorerRow key={player.bookingId} player={player} {...row} />
      ))}
    </ul>
  );
}

function ScorerRow({ player, result, hasTicks }: ScorersProps & { player: RosterPlayer }) {
  const { bookingId, name, goals, hasWon } = player;
  const values = result?.values;
  const [goalsName, wonName] = [`goals-${bookingId}`, `won-${bookingId}`];
  const error = result?.fieldErrors?.[goalsName];
  return (
    <li className="grid grid-cols-[1fr_auto_auto] items-center gap-3 border-b border-line py-2">
      <p translate="no" className="min-w-0 font-semibold wrap-anywhere">
        {name}
      </p>
      {player.attendance === "NoShow" ? (
        <p className="col-span-2 flex min-h-11 items-center text-muted">No-show</p>
      ) : (
        <>
          <label className="flex items-center gap-2 text-sm">
            Goals <span className="sr-only">of {name}</span>
            <input
              id={goalsName}
              name={goalsName}
              inputMode="numeric"
              pattern="[0-9]{0,2}"
              autoComplete="off"
              aria-invalid={error ? true : undefined}
              aria-describedby={error && `${goalsName}-error`}
              defaultValue={values ? values[goalsName] : (goals ?? "")}
              className="min-h-11 w-14 rounded-card border border-edge bg-raised px-2 text-center text-ink tabular-nums hover:border-ink aria-invalid:border-2 aria-invalid:border-danger"
            />
          </label>
          {hasTicks && (
            <label className="flex min-h-11 items-center gap-2 text-sm">
              <input
                type="checkbox"
                name={wonName}
                defaultChecked={values ? wonName in values : (hasWon ?? false)}
                className="size-6"
              />
              Won <span className="sr-only">: {name}</span>
            </label>
          )}
          {error && (
            <p
              id={`${goalsName}-error`}
              className="col-span-full text-sm font-semibold text-danger"
            >
              {error}
            </p>
          )}
        </>
      )}
    </li>
  );
}
