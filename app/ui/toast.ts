import { useSyncExternalStore } from "react";

type Toast = {
  title: string;
  description?: string | undefined;
  tone?: "good" | "danger" | "info" | undefined;
  /** A toast with an action stays until dismissed. */
  action?: { label: string; run(): void } | undefined;
};

export type ShownToast = Toast & { id: string };

let toasts: ShownToast[] = [];
const shown = new Set<string>();
const listeners = new Set<() => void>();

let count = 0;

export function toast(what: Toast & { id?: string | undefined }): string {
  const id = what.id ?? `toast-${(count += 1)}`;
  if (shown.has(id)) return id;
  shown.add(id);
  const others = toasts.filter((shown) => !isOutdatedBy(what, shown) && !isSame(what, shown));
  change([...others, { ...what, id }].slice(-3));
  return id;
}

// A failure must not stay beside a later success, unless it has an action.
function isOutdatedBy({ tone = "good" }: Toast, shown: Toast): boolean {
  return tone === "good" && shown.tone === "danger" && !shown.action;
}

function isSame(one: Toast, other: Toast): boolean {
  return one.title === other.title && one.description === other.description;
}

/** For a new page: drops failures except those with an action. */
export function dismissFailures(): void {
  change(toasts.filter(({ tone, action }) => tone !== "danger" || action));
}

export function dismissToast(id: string): void {
  change(toasts.filter((shown) => shown.id !== id));
}

export function useToasts(): ShownToast[] {
  return useSyncExternalStore(subscribe, current, none);
}

function change(next: ShownToast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const nothing: ShownToast[] = [];
const current = () => toasts;
const none = () => nothing;
