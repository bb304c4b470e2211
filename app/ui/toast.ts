import { useSyncExternalStore } from "react";

export interface Message {
  title: string;
  description?: string | undefined;
  tone?: "good" | "danger" | "info" | undefined;
}

interface Toast extends Message {
  /** A toast with an action stays until it is dismissed. */
  action?: { label: string; run(): void } | undefined;
  /** Set if a focused box on the page says the same: screen readers read that. */
  isSilent?: boolean | undefined;
}

export type ShownToast = Toast & { id: string };

let shown: ShownToast | null = null;
let count = 0;
const sent = new Set<string>();
const listeners = new Set<() => void>();

/** Replaces the last toast. A toast with an id is shown once. */
export function toast(what: Toast & { id?: string }): string {
  const id = what.id ?? `toast-${(count += 1)}`;
  if (sent.has(id)) return id;
  if (what.id) sent.add(id);
  change({ ...what, id });
  return id;
}

/** On a new page: a failure belongs to the last page, unless it has an action. */
export function dismissFailure(): void {
  if (shown?.tone === "danger" && !shown.action) change(null);
}

export function dismissToast(id = shown?.id): void {
  if (id === shown?.id) change(null);
}

export function useToast(): ShownToast | null {
  return useSyncExternalStore(subscribe, current, none);
}

function change(next: ShownToast | null): void {
  shown = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const current = () => shown;
const none = () => null;
