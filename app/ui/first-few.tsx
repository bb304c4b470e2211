import type { ReactNode } from "react";

type FirstFewProps<T> = { items: T[]; count: number; children: (items: T[]) => ReactNode };

export function FirstFew<T>({ items, count, children }: FirstFewProps<T>) {
  const [first, others] = [items.slice(0, count), items.slice(count)];
  return (
    <div className="rounded-card bg-surface shadow-card">
      {children(first)}
      {others.length > 0 && (
        <details className="border-t border-line">
          <summary className="min-h-11 px-4 py-3 text-sm font-semibold">
            {others.length} more
          </summary>
          {children(others)}
        </details>
      )}
    </div>
  );
}
