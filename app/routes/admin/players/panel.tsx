import { type ReactNode, useId } from "react";
import { FormRefusal } from "#app/routes/admin/form-refusal.tsx";
import type { PlayerAnswer } from "./player-deeds.server.ts";

type PanelProps = { title: ReactNode; aside?: ReactNode; children: ReactNode };

/** A form of the page in its box. */
export function Panel({ title, aside, children }: PanelProps) {
  const heading = useId();
  return (
    <section
      aria-labelledby={heading}
      className="grid min-w-0 gap-4 rounded-card bg-surface p-4 shadow-card md:p-6"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 id={heading} className="text-base">
          {title}
        </h3>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** Why a form was refused. */
export function Problem({ answer }: { answer: PlayerAnswer | undefined }) {
  if (!answer) return null;
  return <FormRefusal answer={answer} fieldId={(name) => fieldId(answer.form, name)} />;
}

export function fieldId(form: PlayerAnswer["form"], name: string): string {
  return `${form}-${name}`;
}

type ConfirmProps = {
  form: PlayerAnswer["form"];
  answer: PlayerAnswer | undefined;
  children: ReactNode;
};

/** The box to tick before a deed that is felt at once; it works as plain HTML. */
export function Confirm({ form, answer, children }: ConfirmProps) {
  const error = answer?.errors?.confirmed;
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input
        id={fieldId(form, "confirmed")}
        type="checkbox"
        name="confirmed"
        value="1"
        required
        aria-invalid={error ? true : undefined}
        className="size-5 shrink-0"
      />
      <span>
        {children}
        {error && <span className="block text-sm font-semibold text-danger">{error}</span>}
      </span>
    </label>
  );
}
