import { DialogTrigger } from "#app/ui/dialog.tsx";
import { Filter } from "#app/ui/icon.tsx";
import type { listDays } from "./list-view.server.ts";

type DayStripProps = { days: ReturnType<typeof listDays> };

/** The next two weeks, which lead to their games on the same page, and the filters. */
export function DayStrip({ days }: DayStripProps) {
  return (
    <div className="day-strip sticky top-16 z-20 border-b border-line bg-canvas short:static">
      <div className="mx-auto flex max-w-6xl items-center gap-2 py-1.5 pr-4">
        <nav
          aria-label="Days"
          className="flex grow snap-x scroll-px-4 gap-1 overflow-x-auto overscroll-x-contain px-4 [scrollbar-width:none]"
        >
          {days.map(({ date, weekday, day, hasGames }) =>
            hasGames ? (
              <a
                key={date}
                href={`#day-${date}`}
                className={`${dayClass} bg-sunken hover:bg-raised`}
              >
                {weekday} <b className="text-base tabular-nums">{day}</b>
              </a>
            ) : (
              <span key={date} className={`${dayClass} text-muted`}>
                {weekday} <span className="text-base tabular-nums">{day}</span>
              </span>
            ),
          )}
        </nav>
        <DialogTrigger dialog="filters" className="shrink-0">
          <Filter className="size-5 max-sm:hidden" /> Filters
        </DialogTrigger>
      </div>
    </div>
  );
}

const dayClass =
  "grid min-h-12 min-w-11 shrink-0 snap-start place-content-center justify-items-center rounded-card px-1 text-sm/4";
