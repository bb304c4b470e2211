type Renamed = [key: string, at: number, value: unknown];

/**
 * Renames what a browser keeps under a name of before November 29th, 2026 (kept.ts). To be deleted
 * after December 29th, with the lines about such names in offline-tickets.js.
 */
export function adoptFormerName(storage: Storage, key: string): void {
  const renamed = rename(key, storage.getItem(key)!);
  for (const [name, at, value] of renamed) {
    // A tab of the former version may still write: what this one has kept since stays.
    const kept = JSON.parse(storage.getItem(name) ?? "null")?.value;
    if (kept && !Array.isArray(kept)) continue;
    storage.setItem(
      name,
      JSON.stringify({ at, value: kept ? addNew(kept, value as Item[]) : value }),
    );
  }
  if (renamed.length > 0) storage.removeItem(key);
}

type Item = { id: string };

const addNew = (kept: Item[], more: Item[]) => [
  ...kept,
  ...more.filter(({ id }) => !kept.some((each) => each.id === id)),
];

function rename(key: string, text: string): Renamed[] {
  const [kind = "", ...names] = key.split(" ");
  if (kind === "taps") {
    const taps = JSON.parse(text).map((tap: Item) => ({ ...tap, state: "waiting" }));
    return [[`kept taps ${names[1]} ${names[0]}`, Date.now(), taps]];
  }
  if (kind === "list") {
    const account = document.documentElement.dataset["account"] ?? "";
    return [[`kept filters ${account} ${names.join(" ")}`, Date.now(), text]];
  }
  if (kind === "chat") {
    const { unsent, draft, changedAt } = JSON.parse(text);
    const [gameId, account] = names;
    const queue = unsent.map((each: Item & { state: string }) => ({
      ...each,
      state: each.state === "failed" ? "waiting" : each.state,
    }));
    return [
      [`kept chat ${account} ${gameId}`, changedAt, queue],
      [`kept field ${account} ${gameId}`, changedAt, draft || null],
    ];
  }
  if (kind === "draft") {
    const draft = JSON.parse(text);
    return [[`kept ${key}`, draft.at, { keys: null, ...draft }]];
  }
  if (kind === "tickets") {
    const { account, ...value } = JSON.parse(text);
    return [[`kept tickets ${account} next`, Date.now(), value]];
  }
  return [];
}
