import { ArrowLeft } from "./icon.tsx";
import { WayBack } from "./way-back.tsx";

/** Stands above a page's heading and leads to where one has come from, else to the page above it. */
export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <WayBack
      to={to}
      viewTransition
      className="-ml-2 inline-flex min-h-11 items-center gap-1 justify-self-start px-2 font-semibold text-muted hover:text-ink"
    >
      <ArrowLeft className="size-5" /> {children}
    </WayBack>
  );
}
