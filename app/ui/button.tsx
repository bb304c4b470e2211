import type { ComponentProps, MouseEvent, ReactNode } from "react";
import { Link } from "react-router";
import { type ButtonSize, type ButtonVariant, buttonClass } from "./button-class.ts";

type Look = {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  wide?: boolean | undefined;
};

type ButtonProps = ComponentProps<"button"> &
  Look & {
    /** While true the button keeps its focus, says `pendingLabel` and does nothing. */
    pending?: boolean | undefined;
    pendingLabel?: ReactNode;
  };

export function Button(props: ButtonProps) {
  const { variant, size, wide, pending, pendingLabel, className, children, onClick, ...rest } =
    props;
  return (
    <button
      type="submit"
      {...rest}
      className={buttonClass({ variant, size, wide, className })}
      aria-disabled={pending || rest["aria-disabled"]}
      onClick={pending ? ignore : onClick}
    >
      {pending && <Spinner />}
      {pending ? (pendingLabel ?? children) : children}
    </button>
  );
}

/** A link that looks like a button. */
export function ButtonLink({
  variant,
  size,
  wide,
  className,
  ...rest
}: ComponentProps<typeof Link> & Look) {
  return <Link {...rest} className={buttonClass({ variant, size, wide, className })} />;
}

function ignore(event: MouseEvent) {
  event.preventDefault();
}

function Spinner() {
  return (
    <span
      aria-hidden
      className="size-4 shrink-0 animate-spin rounded-pill border-2 border-current border-r-transparent motion-reduce:hidden"
    />
  );
}
