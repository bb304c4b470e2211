const MOST_CITIES = 10;
// As long as a venue's city can be.
const LONGEST_CITY = 60;

/**
 * The cities in the URL: `city` comma-separated, or repeated as a form without JavaScript sends it.
 * A city that we do not know is kept, for the page to name it.
 */
export function parseCities(query: URLSearchParams): string[] {
  const named = query.getAll("city").flatMap((value) => value.split(","));
  const cities = named.map(tidy).filter((city) => city !== "");
  return [...new Set(cities)].slice(0, MOST_CITIES);
}

// PostgreSQL takes no NUL in a text.
function tidy(city: string): string {
  return [...city.replaceAll("\0", "").trim()].slice(0, LONGEST_CITY).join("").trim();
}
