import type { ReactNode } from "react";
import { Link } from "react-router";
import { ArrowLeft } from "../../ui/icon.tsx";

interface SettingsPageProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}

/** The frame of a page below the settings: one narrow column, the way back above it. */
export function SettingsPage({ title, lead, children }: SettingsPageProps) {
  return (
    <div className="mx-auto grid max-w-xl gap-6 px-4 pt-4">
      <header className="grid gap-2">
        <Link
          to="/settings"
          className="-ml-2 inline-flex min-h-11 items-center gap-1 justify-self-start px-2 font-semibold text-muted hover:text-ink"
        >
          <ArrowLeft className="size-5" /> Settings
        </Link>
        <h1 className="text-xl">{title}</h1>
        {lead && <p className="text-muted">{lead}</p>}
      </header>
      {children}
    </div>
  );
}
