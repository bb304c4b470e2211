import { DialogTrigger } from "#app/ui/dialog.tsx";
import { Filter } from "#app/ui/icon.tsx";
import type { listDays } from "#app/routes/game-card/list-view.server.ts";

type DayStripProps = { days: ReturnType<typeof listDays> };

/** The days of the next two weeks, which lead to their games on this page, and the filters. */
export function DayStrip({ days }: DayStripProps) {
  return (
    <div className="day-strip sticky top-16 z-20 border-b border-line bg-canvas short:static">
      <div className="mx-auto flex max-w-6xl items-center gap-2 py-1.5 pr-[16px]">
        <nav
          aria-label="Days"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- without a link in it the keyboard could not scroll it
          tabIndex={days.some(({ date }) => date) ? undefined : 0}
          className="flex grow snap-x scroll-px-4 gap-1 overflow-x-auto overscroll-x-contain px-[16px] [scrollbar-width:none]"
        >
          {days.map(({ text, date }) =>
            date ? (
              <a key={text} href={`#day-${date}`} className={`${day} bg-sunken font-bold`}>
                {text}
              </a>
            ) : (
              <span key={text} className={`${day} text-muted`}>
                {text}
              </span>
            ),
          )}
        </nav>
        <DialogTrigger dialog="filters" className="shrink-0 max-sm:px-[12px]!">
          <Filter className="size-5 max-sm:hidden" /> Filters
        </DialogTrigger>
      </div>
    </div>
  );
}

const day =
  "min-h-12 min-w-[44px] shrink-0 snap-start rounded-card px-1 py-1 text-center leading-5 " +
  "whitespace-pre-line tabular-nums first-line:text-sm first-line:font-normal";
