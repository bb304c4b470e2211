import { type KeyboardEvent, type MouseEvent, type ReactNode, useState } from "react";
import { useHydrated } from "./use-hydrated.ts";

interface Tab {
  id: string;
  label: string;
  panel: ReactNode;
}
interface TabsProps {
  label: string;
  tabs: Tab[];
  open: string;
  /** Links for use without JavaScript; if absent, all panels show until it runs. */
  href?: ((id: string) => string) | undefined;
  onChoose?: ((id: string) => void) | undefined;
}

export function Tabs({ label, tabs, open, href, onChoose }: TabsProps) {
  const hydrated = useHydrated();
  const [chosen, setChosen] = useState({ open, id: open });
  // A new result from the server opens its own tab.
  const shown = chosen.open === open ? chosen.id : open;
  const choose = (id: string) => {
    setChosen({ open, id });
    if (id !== shown) onChoose?.(id);
  };
  const isTabbed = hydrated || href !== undefined;
  return (
    <div className="grid gap-6">
      {isTabbed && <TabList {...{ label, tabs, shown, href, hydrated, choose }} />}
      {tabs.map(({ id, label: heading, panel }) => (
        <div
          key={id}
          id={`${id}-panel`}
          role={isTabbed ? "tabpanel" : "group"}
          aria-labelledby={`${id}-tab`}
          hidden={isTabbed && id !== shown}
        >
          {!isTabbed && (
            <h3 id={`${id}-tab`} className="mb-3 text-base">
              {heading}
            </h3>
          )}
          {panel}
        </div>
      ))}
    </div>
  );
}

type TabListProps = Pick<TabsProps, "label" | "tabs" | "href"> & {
  shown: string;
  hydrated: boolean;
  choose: (id: string) => void;
};

function TabList({ label, tabs, shown, href, hydrated, choose }: TabListProps) {
  const moveByArrow = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = tabs.findIndex(({ id }) => id === shown);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (!next) return;
    choose(next.id);
    document.getElementById(`${next.id}-tab`)?.focus();
  };
  return (
    <div role="tablist" aria-label={label} className="flex gap-1 rounded-card bg-sunken p-1">
      {tabs.map(({ id, label: name }) => {
        const tab = {
          id: `${id}-tab`,
          role: "tab",
          "aria-selected": id === shown,
          "aria-controls": `${id}-panel`,
          tabIndex: hydrated && id !== shown ? -1 : 0,
          onKeyDown: moveByArrow,
          onClick(event: MouseEvent) {
            event.preventDefault();
            choose(id);
          },
          className: tabClass,
        };
        return href ? (
          <a key={id} {...tab} href={href(id)}>
            {name}
          </a>
        ) : (
          <button key={id} {...tab} type="button">
            {name}
          </button>
        );
      })}
    </div>
  );
}

const tabClass =
  "grid min-h-11 grow place-items-center rounded-card px-2 text-center font-semibold text-muted hover:text-ink " +
  "aria-selected:bg-ink aria-selected:text-canvas";
