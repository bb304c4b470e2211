import { addDays } from "#app/platform/clock.ts";

/**
 * Public holidays of Finland in a year, by day, with the two eves that are kept like them. Sources:
 * the Church Act (652/2023, chapter 1, and the Church Order) for the church's, with Midsummer Day and
 * All Saints' Day on Saturdays; Act 272/1944 for May Day; Act 388/1937 for Independence Day.
 */
export function holidaysOf(year: number): Map<string, string> {
  const easter = easterOf(year);
  const midsummer = saturdayFrom(`${year}-06-20`);
  return new Map([
    [`${year}-01-01`, "New Year's Day"],
    [`${year}-01-06`, "Epiphany"],
    [addDays(easter, -2), "Good Friday"],
    [easter, "Easter Sunday"],
    [addDays(easter, 1), "Easter Monday"],
    [`${year}-05-01`, "May Day"],
    [addDays(easter, 39), "Ascension Day"],
    [addDays(easter, 49), "Pentecost"],
    [addDays(midsummer, -1), "Midsummer Eve"],
    [midsummer, "Midsummer Day"],
    [saturdayFrom(`${year}-10-31`), "All Saints' Day"],
    [`${year}-12-06`, "Independence Day"],
    [`${year}-12-24`, "Christmas Eve"],
    [`${year}-12-25`, "Christmas Day"],
    [`${year}-12-26`, "Boxing Day"],
  ]);
}

/** Of a day "YYYY-MM-DD"; null on any other. */
export function holidayOn(date: string): string | null {
  return holidaysOf(Number(date.slice(0, 4))).get(date) ?? null;
}

/** Easter Sunday by the anonymous Gregorian algorithm (Meeus, Astronomical Algorithms, chapter 8). */
export function easterOf(year: number): string {
  const whole = Math.floor;
  const [golden, century, rest] = [year % 19, whole(year / 100), year % 100];
  const shift = whole((century - whole((century + 8) / 25) + 1) / 3);
  const moon = (19 * golden + century - whole(century / 4) - shift + 15) % 30;
  const day = (32 + 2 * (century % 4) + 2 * whole(rest / 4) - moon - (rest % 4)) % 7;
  const late = whole((golden + 11 * moon + 22 * day) / 451);
  return addDays(`${year}-03-22`, moon + day - 7 * late);
}

function saturdayFrom(date: string): string {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  return addDays(date, 6 - weekday);
}
