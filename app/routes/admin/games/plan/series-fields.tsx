import { useState } from "react";
import { holidayOn } from "#app/features/games/holidays.ts";
import { MOST_WEEKS, weeklySlots } from "#app/features/games/time-slots.ts";
import { fieldProps, type FormResult } from "#app/forms/form-result.ts";
import { isDate, monthDay, monthDayYear, weekday } from "#app/platform/clock.ts";
import { Chip } from "#app/ui/chip.tsx";
import { TextField } from "#app/ui/field.tsx";

interface SeriesFieldsProps {
  result: FormResult | undefined;
  weeks: string | undefined;
  typed: Record<string, string>;
}

/** How many weeks, and which of their dates are left out: holidays, unless they are chosen. */
export function SeriesFields({ result, weeks = "", typed }: SeriesFieldsProps) {
  const [changed, setChanged] = useState(() => changedDates(typed, result?.values));
  const dates = datesOf(typed);
  const isOut = (date: string) => (holidayOn(date) !== null) !== changed.includes(date);
  const leftOut = dates.filter(isOut);
  const toggle = (date: string) =>
    setChanged(changed.includes(date) ? changed.filter((one) => one !== date) : [...changed, date]);
  return (
    <div className="grid gap-2">
      <TextField
        {...fieldProps(result, "weeks", weeks)}
        label="Weeks"
        hint="More than one makes a series: same weekday, same time, a game of its own each week"
        placeholder="1"
        type="number"
        inputMode="numeric"
        min={1}
        max={MOST_WEEKS}
      />
      <p aria-live="polite" className="text-sm empty:hidden">
        {describeSeries(dates, leftOut)}
      </p>
      {/* Without scripts other dates may be typed than these boxes are for. */}
      <input type="hidden" name="shownDates" value={dates.join(",")} />
      {dates.length > 0 && (
        <details open={leftOut.length > 0 || result !== undefined}>
          <summary className="min-h-11 cursor-pointer font-semibold">Dates to leave out</summary>
          <div className="flex flex-wrap gap-3">
            {dates.map((date) => (
              <Chip
                key={date}
                name="leftOut"
                value={date}
                checked={isOut(date)}
                onChange={() => toggle(date)}
              >
                {[monthDay(date), holidayOn(date)].filter(Boolean).join(", ")}
              </Chip>
            ))}
          </div>
        </details>
      )}
    </div>
  );
}

/** Empty for a single game, and as long as the dates are not known. */
function datesOf({ date = "", weeks = "" }: Record<string, string>): string[] {
  const count = Number(weeks);
  if (!isDate(date) || !Number.isInteger(count) || count < 2 || count > MOST_WEEKS) return [];
  return weeklySlots({ date, startTime: "", endTime: "" }, count).map((slot) => slot.date);
}

/** The dates that a form which came back has otherwise than proposed. */
function changedDates(typed: Record<string, string>, sent: FormResult["values"]): string[] {
  const [shown, out] = [datesIn(sent?.shownDates), datesIn(sent?.leftOut)];
  const isProposed = (date: string) => out.includes(date) === (holidayOn(date) !== null);
  return datesOf(typed).filter((date) => shown.includes(date) && !isProposed(date));
}

const datesIn = (text = "") => text.split(/[\n,]/);

function describeSeries(dates: string[], leftOut: string[]): string {
  const played = dates.filter((date) => !leftOut.includes(date));
  const last = played.at(-1);
  if (!last) return "";
  const games = played.length === 1 ? "1 game" : `${played.length} games`;
  const without = leftOut.map((date) => monthDay(date)).join(", ");
  const rest = without && ` Without ${without}.`;
  return `${games}, each ${weekday(last)}, the last on ${monthDayYear(last)}.${rest}`;
}
