import type { Country } from "#app/features/players/countries.server.ts";

/** What both forms of the field need: the native select and the one that searches. */
export interface NationalityChoice {
  id: string;
  name: string;
  label: string;
  error: string | undefined;
  countries: readonly Country[];
  /** The code of the chosen country, or "". */
  code: string;
  onChoose: (code: string) => void;
}
