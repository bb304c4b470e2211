export const LETTER_KINDS = ["message", "review", "withdrawal"] as const;
export type LetterKind = (typeof LETTER_KINDS)[number];

export const LETTER_STATUSES = ["open", "done"] as const;
export type LetterStatus = (typeof LETTER_STATUSES)[number];

export interface InboxFilter {
  kind: LetterKind | null;
  /** Null is both. */
  status: LetterStatus | null;
}

/** The filter in an address: what is open unless it says otherwise; what is none is not given. */
export function parseInboxFilter(query: URLSearchParams): InboxFilter {
  const status = query.get("status") ?? "open";
  return {
    kind: LETTER_KINDS.find((kind) => kind === query.get("kind")) ?? null,
    status: status === "all" ? null : status === "done" ? "done" : "open",
  };
}
