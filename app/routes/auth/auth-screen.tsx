import type { ReactNode } from "react";
import { Link } from "react-router";
import { classNames } from "#app/ui/class-names.ts";
import { ArrowLeft } from "#app/ui/icon.tsx";
import { CornerArc } from "#app/ui/pitch-lines.tsx";
import { DemoBanner, Logo } from "#app/routes/layouts/site-shell.tsx";

interface AuthScreenProps {
  title: string;
  lead?: ReactNode;
  back: { to: string; label: string };
  /** Little stands on it: on wide screens it begins further down. */
  isShort?: boolean;
  children: ReactNode;
}

/** The frame of the account pages: one narrow column, the corner of the pitch behind it. */
export function AuthScreen({ title, lead, back, isShort, children }: AuthScreenProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <DemoBanner />
      <main
        className={classNames(
          "relative isolate grow overflow-hidden px-4 pt-4 pb-12",
          isShort && "md:pt-[18dvh]",
        )}
      >
        <CornerArc className="right-2 bottom-2 size-64 -scale-x-100 md:size-112" />
        <div className="mx-auto grid w-full max-w-md gap-6">
          <div className="flex items-center justify-between gap-4">
            <Link
              to={back.to}
              className="-ml-2 inline-flex min-h-11 items-center gap-1 px-2 font-semibold text-muted hover:text-ink"
            >
              <ArrowLeft className="size-5" /> {back.label}
            </Link>
            <Logo to="/" />
          </div>
          <header className={classNames("grid gap-2", isShort && "max-md:pt-6")}>
            <h1 className="text-xl">{title}</h1>
            {lead && <p className="text-muted">{lead}</p>}
          </header>
          {children}
        </div>
      </main>
    </div>
  );
}
