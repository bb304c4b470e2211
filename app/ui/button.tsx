import type { ComponentProps, MouseEvent, ReactNode } from "react";
import { Link } from "react-router";
import { classNames } from "./class-names.ts";

type Look = {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  wide?: boolean | undefined;
  className?: string | undefined;
};

type ButtonProps = ComponentProps<"button"> &
  Look & {
    /** Keeps focus, shows `pendingLabel` and ignores presses. */
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

export function ButtonLink(props: ComponentProps<typeof Link> & Look) {
  const { variant, size, wide, className, ...rest } = props;
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

export type ButtonVariant = "primary" | "secondary" | "quiet" | "danger" | "waiting";
type ButtonSize = "md" | "lg";

/** For buttons, links and labels. At least 44 px high. */
export function buttonClass({ variant = "secondary", size = "md", wide, className }: Look) {
  return classNames(base, variants[variant], sizes[size], wide && "w-full", className);
}

const base =
  "relative inline-flex items-center justify-center gap-2 rounded-card border font-semibold " +
  "text-center select-none transition-[background-color,border-color,translate] " +
  "active:translate-y-px disabled:opacity-100 disabled:border-line disabled:bg-sunken " +
  "disabled:text-muted disabled:translate-y-0 aria-disabled:translate-y-0";

const variants: Record<ButtonVariant, string> = {
  primary: "border-accent-edge bg-accent text-on-accent hover:bg-accent-strong",
  secondary: "border-edge bg-raised text-ink hover:border-ink",
  quiet: "border-transparent text-ink hover:bg-sunken",
  // The main one, until something is chosen: it can be pressed, and says what is missing.
  waiting: "border-line bg-sunken text-muted",
  danger: "border-danger-solid bg-danger-solid text-on-danger hover:border-ink",
};

const sizes: Record<ButtonSize, string> = {
  md: "min-h-11 min-w-11 px-4 py-2",
  lg: "min-h-13 px-6 py-3 text-lg font-bold",
};
