/** For a search without case and marks: "cote" finds "Côte d'Ivoire". */
export function unaccented(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
}
