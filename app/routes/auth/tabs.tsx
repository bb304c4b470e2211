import { type KeyboardEvent, type ReactNode, useState } from "react";
import { useHydrated } from "../../ui/use-hydrated.ts";

interface Tab {
  id: string;
  label: string;
  panel: ReactNode;
}
interface TabsProps {
  tabs: Tab[];
  /** The tab that the server shows. */
  open: string;
  /** What the address carries besides the tab. */
  search: Record<string, string>;
}

/**
 * Tabs that are links, so that they work before and without JavaScript: the server opens the one
 * that the address names. All panels are in the document; the others are hidden.
 */
export function Tabs({ tabs, open, search }: TabsProps) {
  const hydrated = useHydrated();
  const [chosen, setChosen] = useState({ open, id: open });
  // A new answer from the server opens its own tab, whatever was chosen before it.
  const shown = chosen.open === open ? chosen.id : open;
  const choose = (id: string) => setChosen({ open, id });
  return (
    <div className="grid gap-6">
      <div
        role="tablist"
        aria-label="Sign in or sign up"
        className="grid grid-cols-2 gap-1 rounded-card bg-sunken p-1"
      >
        {tabs.map(({ id, label }) => (
          <a
            key={id}
            id={`${id}-tab`}
            role="tab"
            href={`?${new URLSearchParams({ ...search, tab: id })}`}
            aria-selected={id === shown}
            aria-controls={`${id}-panel`}
            tabIndex={hydrated && id !== shown ? -1 : 0}
            onKeyDown={(event) => moveByArrow(event, tabs, shown, choose)}
            onClick={(event) => {
              event.preventDefault();
              choose(id);
            }}
            className="grid min-h-11 place-items-center rounded-card font-semibold text-muted hover:text-ink aria-selected:bg-ink aria-selected:text-canvas"
          >
            {label}
          </a>
        ))}
      </div>
      {tabs.map(({ id, panel }) => (
        <div
          key={id}
          id={`${id}-panel`}
          role="tabpanel"
          aria-labelledby={`${id}-tab`}
          hidden={id !== shown}
        >
          {panel}
        </div>
      ))}
    </div>
  );
}

function moveByArrow(
  event: KeyboardEvent<HTMLElement>,
  tabs: Tab[],
  shown: string,
  choose: (id: string) => void,
) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const at = tabs.findIndex(({ id }) => id === shown);
  const next = tabs[(at + step + tabs.length) % tabs.length];
  if (!next) return;
  choose(next.id);
  document.getElementById(`${next.id}-tab`)?.focus();
}
