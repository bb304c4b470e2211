const PREFIX = "list ";

/** Kept for this tab. A browser may have no storage, or none left. */
export function keepListQuery(path: string, search: string): void {
  try {
    sessionStorage.setItem(PREFIX + path, search);
  } catch {}
}

export function readListQuery(path: string): string {
  try {
    return sessionStorage.getItem(PREFIX + path) ?? "";
  } catch {
    return "";
  }
}

/** The queries may hold somebody's name. */
export function deleteListQueries(): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
    }
  } catch {}
}
