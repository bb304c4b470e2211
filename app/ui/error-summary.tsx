import { type ReactNode, useEffect, useRef } from "react";

type ErrorSummaryProps = {
  title?: ReactNode;
  /** `field` is the id of the control that the message belongs to. */
  errors: { field?: string | undefined; message: string }[];
};

/**
 * The red box above a refused form. It takes the focus when its messages change, so that the
 * reader starts there; a new `key` makes it take the focus again for the same messages.
 */
export function ErrorSummary({ title = "There is a problem", errors }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  const said = errors.map(({ message }) => message).join();
  useEffect(() => {
    if (said) box.current?.focus();
  }, [said]);
  if (!said) return null;
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
          <li key={message}>
            {field ? (
              <a href={`#${field}`} className="link">
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
