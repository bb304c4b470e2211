import type { ReactNode } from "react";
import { BackLink } from "#app/ui/back-link.tsx";

type SettingsPageProps = { title: string; lead?: ReactNode; children: ReactNode };

export function SettingsPage({ title, lead, children }: SettingsPageProps) {
  return (
    <div className="mx-auto grid max-w-xl gap-6 px-4 pt-4">
      <header className="grid gap-2">
        <BackLink to="/settings">Settings</BackLink>
        <h1 className="text-xl">{title}</h1>
        {lead && <p className="text-muted">{lead}</p>}
      </header>
      {children}
    </div>
  );
}
