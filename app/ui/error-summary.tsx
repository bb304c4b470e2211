import { type MouseEvent, type ReactNode, useEffect, useRef } from "react";

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
      <ul className="mt-1 grid gap-1">
        {errors.map(({ field, message }) => (
          <li key={`${field} ${message}`}>
            {field ? (
              <a
                href={`#${field}`}
                className="link inline-flex min-h-11 items-center"
                onClick={(event) => leadTo(event, field)}
              >
                {message}
              </a>
            ) : (
              message
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Not a link: the router treats another fragment as a page without these errors. */
function leadTo(event: MouseEvent, field: string) {
  const control = document.getElementById(field);
  if (!control) return;
  event.preventDefault();
  control.focus();
}
