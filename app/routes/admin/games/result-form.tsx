import { editedVersion, fieldProps, type FormResult } from "#app/forms/form-result.ts";
import { IntentForm, SubmitButton } from "#app/routes/admin/intent-form.tsx";
import { Part, panelClass } from "#app/routes/admin/page.tsx";
import { TextField } from "#app/ui/field.tsx";
import type { Roster, RosterPlayer } from "./game-view.server.ts";

type ResultProps = { roster: Roster; result: FormResult | undefined };

const SCORES = [
  { name: "firstScore", label: "Team A" },
  { name: "secondScore", label: "Team B" },
] as const;

/** Score, goals and winners, for the player cards; can be changed later. */
export function ResultForm({ roster, result }: ResultProps) {
  const { result: recorded } = roster;
  return (
    <Part
      title="Result"
      about={
        recorded
          ? `${recorded.firstScore}–${recorded.secondScore} is recorded. You can change it.`
          : "Not recorded yet. Goals and wins go to the player cards."
      }
    >
      <IntentForm
        intent="result"
        hidden={{ version: editedVersion(result, recorded?.version ?? 0) }}
        result={result}
        action={roster.path}
        className={panelClass}
      >
        <div className="grid grid-cols-2 gap-4">
          {SCORES.map(({ name, label }) => (
            <TextField
              key={name}
              {...fieldProps(result, name, recorded?.[name].toString())}
              label={label}
              inputMode="numeric"
              pattern="[0-9]{1,2}"
              required
            />
          ))}
        </div>
        <ul className="grid">
          {roster.players.map((player) => (
            <ScorerRow key={player.bookingId} player={player} result={result} />
          ))}
        </ul>
        <SubmitButton variant="primary">Save result</SubmitButton>
      </IntentForm>
    </Part>
  );
}

function ScorerRow({ player, result }: { player: RosterPlayer } & Pick<ResultProps, "result">) {
  const { bookingId, name, goals, hasWon } = player;
  const values = result?.values;
  const [goalsName, wonName] = [`goals-${bookingId}`, `won-${bookingId}`];
  const error = result?.fieldErrors?.[goalsName];
  return (
    <li className="grid grid-cols-[1fr_auto_auto] items-center gap-3 border-b border-line py-2">
      <p className="min-w-0 font-semibold wrap-anywhere">{name}</p>
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
          <label className="flex min-h-11 items-center gap-2 text-sm">
            <input
              type="checkbox"
              name={wonName}
              defaultChecked={values ? wonName in values : (hasWon ?? false)}
              className="size-6"
            />
            Won <span className="sr-only">: {name}</span>
          </label>
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
