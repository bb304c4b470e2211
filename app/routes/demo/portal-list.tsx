import { Form, useNavigation } from "react-router";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import type { PortalItem } from "./portal-words.ts";

/** What a player has bought of one kind; nothing where there is none. */
export function PortalList({ title, items }: { title: string; items: PortalItem[] }) {
  if (items.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2 className="mb-3 text-lg">{title}</h2>
      <ul className="grid divide-y divide-line rounded-card bg-surface shadow-card">
        {items.map((item) => (
          <li key={item.id} className="grid gap-3 p-4">
            <p className="flex flex-wrap items-center justify-between gap-2">
              <span className="font-semibold">{item.name}</span>
              <Badge tone={item.badge.tone}>{item.badge.words}</Badge>
            </p>
            <p className="text-sm text-muted tabular-nums">{item.facts}</p>
            <ItemButtons item={item} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function ItemButtons({ item: { id, name, state, buttons } }: { item: PortalItem }) {
  const posted = useNavigation().formData;
  const pending = posted?.get("id") === id ? posted.get("intent") : null;
  if (buttons.length === 0) return null;
  return (
    <Form method="post" aria-label={name} className="flex flex-wrap gap-2">
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="seen" value={state} />
      {buttons.map(({ intent, label }) => (
        <Button key={intent} name="intent" value={intent} pending={pending === intent}>
          {label}
        </Button>
      ))}
    </Form>
  );
}
