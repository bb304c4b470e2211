import { type ComponentProps, type ReactNode, useId, useState } from "react";
import { classNames } from "./class-names.ts";
import { ChevronDown, icon } from "./icon.tsx";
import { useHydrated } from "./use-hydrated.ts";

type FieldTexts = {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | null | undefined;
};

type TextFieldProps = FieldTexts & ComponentProps<"input">;
type TextAreaFieldProps = FieldTexts & ComponentProps<"textarea">;
type SelectFieldProps = FieldTexts & ComponentProps<"select">;

export function TextField({ label, hint, error, className, ...input }: TextFieldProps) {
  const id = useFieldId(input.id);
  return (
    <Field id={id} label={label} hint={hint} error={error} className={className}>
      <input type="text" {...input} {...describe(id, hint, error)} className={controlClass} />
    </Field>
  );
}

export function TextAreaField({ label, hint, error, className, ...area }: TextAreaFieldProps) {
  const id = useFieldId(area.id);
  return (
    <Field id={id} label={label} hint={hint} error={error} className={className}>
      <textarea rows={5} {...area} {...describe(id, hint, error)} className={controlClass} />
    </Field>
  );
}

export function SelectField({ label, hint, error, className, ...select }: SelectFieldProps) {
  const id = useFieldId(select.id);
  return (
    <Field id={id} label={label} hint={hint} error={error} className={className}>
      <div className="relative">
        <select
          {...select}
          {...describe(id, hint, error)}
          className={classNames(controlClass, "appearance-none pr-12")}
        />
        <ChevronDown className="pointer-events-none absolute top-3.5 right-4 size-5 text-muted" />
      </div>
    </Field>
  );
}

export function FileField(props: TextFieldProps) {
  return <TextField {...props} type="file" />;
}

export function CodeField(props: TextFieldProps) {
  return (
    <TextField
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={40}
      required
      {...props}
    />
  );
}

/** The current password by default; once hydrated, a button shows it. */
export function PasswordField({ label, hint, error, className, ...input }: TextFieldProps) {
  const id = useFieldId(input.id);
  const hydrated = useHydrated();
  const [shown, setShown] = useState(false);
  return (
    <Field id={id} label={label} hint={hint} error={error} className={className}>
      <div className="relative">
        <input
          autoComplete="current-password"
          autoCapitalize="none"
          spellCheck={false}
          required
          {...input}
          {...describe(id, hint, error)}
          type={shown ? "text" : "password"}
          className={classNames(controlClass, "pr-13")}
        />
        {hydrated && (
          <button
            type="button"
            aria-label={shown ? "Hide password" : "Show password"}
            aria-controls={id}
            className="absolute inset-y-0 right-0 grid w-12 place-items-center rounded-card text-muted hover:text-ink"
            onClick={() => setShown(!shown)}
          >
            {shown ? <EyeOff /> : <Eye />}
          </button>
        )}
      </div>
    </Field>
  );
}

type FieldProps = FieldTexts & { id: string; className?: string | undefined; children: ReactNode };

function Field({ id, label, hint, error, className, children }: FieldProps) {
  return (
    <div className={classNames("grid gap-1.5", className)}>
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {children}
      {error && (
        <p id={`${id}-error`} className="text-sm font-semibold text-danger">
          {error}
        </p>
      )}
    </div>
  );
}

function useFieldId(given: string | undefined): string {
  const generated = useId();
  return given ?? generated;
}

function describe(id: string, hint: ReactNode, error: string | null | undefined) {
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return {
    id,
    "aria-describedby": described || undefined,
    "aria-invalid": error ? true : undefined,
  } as const;
}

const controlClass =
  "min-h-12 w-full min-w-0 rounded-card border border-edge bg-raised px-4 py-2.5 text-ink " +
  "placeholder:text-muted hover:border-ink aria-invalid:border-2 aria-invalid:border-danger " +
  "disabled:border-line disabled:bg-sunken disabled:text-muted";

const Eye = icon(
  <>
    <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" />
    <circle cx="12" cy="12" r="3" />
  </>,
);
const EyeOff = icon(
  <path d="M9.5 5.9A8.6 8.6 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-2.7 3.5M6.3 7.3A16 16 0 0 0 2.5 12S6 18.5 12 18.5a8.8 8.8 0 0 0 4.7-1.4M9.9 10a3 3 0 0 0 4.1 4.2M4 4l16 16" />,
);
