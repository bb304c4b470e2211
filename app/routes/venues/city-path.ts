/** The list of venues in these cities; the comma between them stays a comma. */
export function cityPath(cities: string[]): string {
  if (cities.length === 0) return "/venues";
  return `/venues?city=${cities.map(encodeURIComponent).join(",")}`;
}
