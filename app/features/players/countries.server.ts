import en from "i18n-iso-countries/langs/en.json" with { type: "json" };

/** `also` are other names that a search finds. The flag is public/flags/{code}.svg. */
export interface Country {
  code: string;
  name: string;
  also: string[];
}

// These have a code of their own, but no nationality.
const TERRITORIES =
  "AX AS AI AQ AW BM BQ BV IO KY CX CC CK CW FK FO GF PF TF GI GL GP GU GG HM HK IM JE YT MO MQ MS " +
  "NC NU NF MP PN PR RE BL SH MF PM SX GS SJ TK TC UM VG VI WF EH";

const USUAL: Record<string, string> = {
  BN: "Brunei",
  CD: "Democratic Republic of the Congo",
  CG: "Republic of the Congo",
  CI: "Côte d'Ivoire",
  CN: "China",
  CZ: "Czechia",
  FM: "Micronesia",
  GM: "Gambia",
  IR: "Iran",
  LA: "Laos",
  MD: "Moldova",
  MK: "North Macedonia",
  PS: "Palestine",
  RU: "Russia",
  SY: "Syria",
  TW: "Taiwan",
  TZ: "Tanzania",
  VA: "Vatican City",
};

export const COUNTRIES: readonly Country[] = Object.entries<string | string[]>(en.countries)
  .filter(([code]) => !TERRITORIES.split(" ").includes(code))
  .map(([code, names]) => named(code, [names].flat()))
  .toSorted((one, other) => one.name.localeCompare(other.name, "en"));

const byCode = new Map(COUNTRIES.map((country) => [country.code, country]));

export function findCountry(code: string): Country | null {
  return byCode.get(code) ?? null;
}

function named(code: string, [first = code, ...others]: string[]): Country {
  const name = USUAL[code] ?? first;
  return { code, name, also: [first, ...others].filter((other) => other !== name) };
}
