import type { ReactNode } from "react";

export function SkipLink({ to, children }: { to: `#${string}`; children: ReactNode }) {
  return (
    <a
      href={to}
      className="sr-only z-50 rounded-card bg-raised font-semibold focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:px-4 focus:py-3"
    >
      {children}
    </a>
  );
}
