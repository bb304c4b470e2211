import { useEffect, useRef } from "react";
import { Form } from "react-router";
import type { GameFilter } from "#app/features/games/filters.ts";
import { Button } from "#app/ui/button.tsx";
import { Drawer } from "#app/ui/dialog.tsx";
import { Roof, Tree } from "#app/ui/icon.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";

const FORM = "filter-form";

/** The form holds the draft until 'Apply Selection' puts it into the URL. */
export function FilterDrawer({ filter, cities }: { filter: GameFilter; cities: string[] }) {
  return (
    <Drawer
      id="filters"
      title="Location"
      onClose={resetDraft}
      footer={
        <Button form={FORM} variant="primary" wide onClick={closeDrawer}>
          Apply Selection
        </Button>
      }
    >
      <Form method="get" action="/events" id={FORM} className="grid gap-6">
        <ClearButton />
        <fieldset className="grid grid-cols-2 gap-3 max-[22rem]:grid-cols-1">
          <legend className="sr-only">Outdoor or indoor</legend>
          <Choice name="outdoor" value="1" defaultChecked={filter.outdoor}>
            <Tree className="size-5" /> Outdoor
          </Choice>
          <Choice name="indoor" value="1" defaultChecked={filter.indoor}>
            <Roof className="size-5" /> Indoor
          </Choice>
        </fieldset>
        <Cities cities={cities} chosen={filter.cities} />
      </Form>
    </Drawer>
  );
}

function Cities({ cities, chosen }: { cities: string[]; chosen: string[] }) {
  const group = useRef<HTMLFieldSetElement>(null);
  const boxes = () => [...(group.current?.querySelectorAll("input") ?? [])];
  const checkAll = (checked: boolean) => {
    for (const box of boxes()) box.checked = checked;
  };
  const followOne = () => {
    const [all, ...each] = boxes();
    if (all) all.checked = each.every((box) => box.checked);
  };
  // Only here: without JavaScript a ticked "all" would overrule a city that is unticked.
  useEffect(followOne, []);
  return (
    <fieldset ref={group} className="grid gap-2">
      <legend className="mb-2 font-bold">City</legend>
      <Choice name="city" value="all" defaultChecked={false} onChange={checkAll}>
        Select All
      </Choice>
      {cities.map((city) => (
        <Choice
          key={city}
          name="city"
          value={city}
          defaultChecked={chosen.includes(city)}
          onChange={followOne}
        >
          {city}
        </Choice>
      ))}
    </fieldset>
  );
}

type ChoiceProps = {
  name: string;
  value: string;
  defaultChecked: boolean;
  onChange?: (checked: boolean) => void;
  children: React.ReactNode;
};

function Choice({ onChange, children, ...input }: ChoiceProps) {
  return (
    <label className="flex min-h-12 items-center gap-3 rounded-card border border-edge px-4 font-semibold has-checked:border-accent-edge has-checked:bg-sunken has-focus-visible:outline-3 has-focus-visible:outline-focus">
      <input
        type="checkbox"
        {...input}
        onChange={(event) => onChange?.(event.target.checked)}
        className="size-5 outline-none"
      />
      {children}
    </label>
  );
}

/** Clears the draft; before JavaScript, the list itself. */
function ClearButton() {
  const hydrated = useHydrated();
  if (!hydrated) {
    return (
      <a href="/events" className="flex min-h-11 items-center font-semibold underline">
        Clear Selection
      </a>
    );
  }
  const clear = (event: React.MouseEvent<HTMLButtonElement>) => {
    const boxes = event.currentTarget.form?.querySelectorAll("input") ?? [];
    for (const box of boxes) box.checked = false;
  };
  return (
    <Button type="button" variant="quiet" className="-ml-4 justify-self-start" onClick={clear}>
      Clear Selection
    </Button>
  );
}

function resetDraft() {
  document.querySelector<HTMLFormElement>(`form#${FORM}`)?.reset();
}

function closeDrawer() {
  document.querySelector<HTMLDialogElement>("dialog#filters")?.close();
}
