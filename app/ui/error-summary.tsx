import { Fragment, type MouseEvent, type ReactNode, useEffect, useRef } from "react";
import { classNames } from "./class-names.ts";

type ErrorSummaryProps = {
  title?: ReactNode;
  errors: { field?: string | undefined; message: string }[];
  /** A new value takes focus again, even with the same messages. */
  of?: unknown;
};

export function ErrorSummary({ title = "There is a problem", errors, of }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  const shown = errors.map(({ message }) => message).join();
  useEffect(() => {
    if (shown) box.current?.focus();
  }, [shown, of]);
  if (!shown) return null;
  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      className="rounded-card border-2 border-danger bg-danger-soft p-4 text-danger"
    >
      <h2 className="text-base">{title}</h2>
      {errors.length > FEW ? <Sentence errors={errors} /> : <List errors={errors} />}
    </div>
  );
}

/** More links than this would fill a phone. */
const FEW = 3;

type Errors = Pick<ErrorSummaryProps, "errors">;

function List({ errors }: Errors) {
  return (
    <ul className="mt-1 grid gap-1">
      {errors.map((error) => (
        <li key={`${error.field} ${error.message}`}>
          <Message {...error} className="inline-flex min-h-11 items-center" />
        </li>
      ))}
    </ul>
  );
}

function Sentence({ errors }: Errors) {
  return (
    <p className="mt-1 leading-8">
      {errors.map((error, index) => (
        <Fragment key={`${error.field} ${error.message}`}>
          <Message {...error} />
          {index < errors.length - 1 && "\u00a0· "}
        </Fragment>
      ))}
    </p>
  );
}

type MessageProps = Errors["errors"][number] & { className?: string };

function Message({ field, message, className }: MessageProps) {
  if (!field) return message;
  return (
    <a
      href={`#${field}`}
      className={classNames("link", className)}
      onClick={(event) => leadTo(event, field)}
    >
      {message}
    </a>
  );
}

/** Not a link: at another fragment the router would show the page without these errors. */
function leadTo(event: MouseEvent, field: string) {
  const control = document.getElementById(field);
  if (!control) return;
  event.preventDefault();
  control.focus();
}
