import type { ReactNode } from "react";
import { Link } from "react-router";
import { Logo } from "#app/routes/site-shell.tsx";
import { ArrowLeft } from "#app/ui/icon.tsx";
import { CornerArc } from "#app/ui/pitch-lines.tsx";

type ScreenProps = {
  title: string;
  name: string;
  back?: { to: string; label: string } | undefined;
  children: ReactNode;
};

const WALLET = { to: "/wallet", label: "Wallet" };

export function SandboxScreen({ title, name, back = WALLET, children }: ScreenProps) {
  return (
    <main className="relative isolate min-h-dvh overflow-hidden pb-16">
      <CornerArc className="right-2 bottom-2 size-28 -scale-x-100" />
      <p className="bg-warn-soft px-4 py-2 text-center text-sm font-semibold text-warn">
        {`${name} — no real money`}
      </p>
      <div className="@container mx-auto grid w-full max-w-4xl grid-cols-[minmax(0,1fr)] gap-6 px-4 pt-4 md:gap-8">
        <div className="flex items-center justify-between gap-4">
          <Link
            to={back.to}
            className="-ml-2 inline-flex min-h-11 items-center gap-1 px-2 font-semibold text-muted hover:text-ink"
          >
            <ArrowLeft className="size-5" /> {back.label}
          </Link>
          <Logo to="/" isNarrow className="justify-end" />
        </div>
        <h1 className="text-xl">{title}</h1>
        {children}
      </div>
    </main>
  );
}
