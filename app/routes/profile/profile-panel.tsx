import type { ReactNode } from "react";
import { Avatar } from "#app/ui/avatar.tsx";
import { CentreCircle } from "#app/ui/pitch-lines.tsx";

type ProfilePanelProps = {
  name: string;
  src: string | null;
  facts: ReactNode;
  corner?: ReactNode;
  children?: ReactNode;
};

/** The head of a profile, one's own or another's. */
export function ProfilePanel({ name, src, facts, corner, children }: ProfilePanelProps) {
  return (
    <header className="relative isolate grid grid-cols-1 gap-5 overflow-clip rounded-card bg-surface p-5 shadow-card">
      <CentreCircle className="-top-16 -right-16 size-72" />
      <div className="flex items-start gap-4">
        <Avatar
          size="xl"
          src={src}
          name={name}
          className="max-[24rem]:size-18 max-[24rem]:text-xl"
        />
        <div className="grid min-w-0 grow gap-2 pt-1">
          <h1 className={`text-xl wrap-anywhere ${corner ? "pr-8" : ""}`}>{name}</h1>
          {facts}
        </div>
        {corner && <div className="absolute top-2 right-2">{corner}</div>}
      </div>
      {children}
    </header>
  );
}
