import { Link } from "react-router";
import { fieldProps, type FormResult } from "#app/forms/form-result.ts";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { Part } from "#app/routes/admin/page.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { TextField } from "#app/ui/field.tsx";
import type { NoShowsView } from "./player-view.ts";
import { NO_SHOW_NOTE_MAX } from "#app/features/roster/rules.ts";

type NoShowsProps = { noShows: NoShowsView; result: FormResult | undefined };

/** Shown without unfolding: more would fill a phone. */
const NO_SHOWS_SHOWN = 2;

export function NoShows({ noShows, result }: NoShowsProps) {
  const [shown, earlier] = [
    noShows.list.slice(0, NO_SHOWS_SHOWN),
    noShows.list.slice(NO_SHOWS_SHOWN),
  ];
  return (
    <Part id="no-shows" title="No-shows" about={noShows.about} className="grid scroll-mt-20 gap-3">
      <div className="rounded-card bg-surface shadow-card">
        <Marks list={shown} result={result} />
        {earlier.length > 0 && (
          <details
            open={earlier.some((noShow) => ofMark(result, noShow))}
            className="border-t border-line"
          >
            <summary className="link flex min-h-11 cursor-pointer items-center px-4">
              {earlier.length} earlier
            </summary>
            <Marks list={earlier} result={result} className="border-t border-line" />
          </details>
        )}
      </div>
    </Part>
  );
}

type MarksProps = { list: NoShow[]; result: FormResult | undefined; className?: string };

function Marks({ list, result, className }: MarksProps) {
  return (
    <ul className={classNames("divide-y divide-line", className)}>
      {list.map((noShow) => (
        <li key={noShow.bookingId} className="grid gap-2 px-4 py-3">
          <Mark noShow={noShow} />
          <MarkForm key={noShow.badge.text} noShow={noShow} result={ofMark(result, noShow)} />
        </li>
      ))}
    </ul>
  );
}

type NoShow = NoShowsView["list"][number];

const ofMark = (result: FormResult | undefined, { bookingId }: NoShow) =>
  result?.values?.bookingId === bookingId ? result : undefined;

function Mark({ noShow }: { noShow: NoShow }) {
  return (
    <div className="flex items-start justify-between gap-4">
      <Link to={`/admin/games/${noShow.gameId}`} className="-my-1 grid min-h-11 min-w-0 py-1">
        <span className="font-semibold tabular-nums hover:underline">{noShow.when}</span>{" "}
        <span className="text-sm wrap-anywhere text-muted">
          {noShow.title}, {noShow.venueName}
        </span>
      </Link>
      <Badge tone={noShow.badge.tone}>{noShow.badge.text}</Badge>
    </div>
  );
}

type MarkFormProps = { noShow: NoShow; result: FormResult | undefined };

function MarkForm({ noShow, result }: MarkFormProps) {
  const { bookingId, excused, excuse } = noShow;
  const fieldId = (name: string) => `${name}-${bookingId}`;
  const name = <span className="sr-only">{noShow.when}</span>;
  if (excused) {
    return (
      <IntentForm intent="unexcuse" hidden={{ bookingId }} result={result}>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="min-w-0 text-sm wrap-anywhere">
            {excuse && <span className="block">{excuse}</span>}{" "}
            <span className="text-muted">{excused}</span>
          </p>
          <SubmitButton>Count it again {name}</SubmitButton>
        </div>
      </IntentForm>
    );
  }
  return (
    <details open={result !== undefined}>
      <summary className="link inline-flex min-h-11 cursor-pointer items-center">
        Excuse {name}
      </summary>
      <IntentForm
        intent="excuse"
        hidden={{ bookingId }}
        result={result}
        fieldId={fieldId}
        className="grid gap-3 pt-2 pb-1"
      >
        <TextField
          {...fieldProps(result, "note")}
          id={fieldId("note")}
          label="Note *"
          hint="For organisers. It is in the data that the player can download, and goes with the account."
          maxLength={NO_SHOW_NOTE_MAX}
          autoComplete="off"
          required
        />
        <SubmitButton className="md:justify-self-start">Excuse this no-show</SubmitButton>
      </IntentForm>
    </details>
  );
}
