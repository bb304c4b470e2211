import { type ComponentProps, type MouseEvent, useEffect, useRef } from "react";
import { Form } from "react-router";
import type { GameFilter } from "#app/features/games/filters.ts";
import { LEVELS, TIMES_OF_DAY } from "#app/features/games/rules.ts";
import { Button } from "#app/ui/button.tsx";
import { Chip } from "#app/ui/chip.tsx";
import { Drawer } from "#app/ui/dialog.tsx";
import { Roof, Tree } from "#app/ui/icon.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";

const FORM = "filter-form";

/** Changes are a draft until 'Apply Selection' puts them into the URL. */
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
        <Chips legend="Time of day" name="time" values={TIMES_OF_DAY} chosen={filter.times} />
        <Chips legend="Level" name="level" values={LEVELS} chosen={filter.levels} />
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
  // Only with JavaScript: without it a ticked "all" would override unticked cities.
  useEffect(followOne, []);
  return (
    <fieldset ref={group} className="grid grid-cols-2 gap-3 max-[22rem]:grid-cols-1">
      <legend className="mb-2 font-bold">City</legend>
      <Choice name="city" value="all" onChange={({ target }) => checkAll(target.checked)}>
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

type ChipsProps = { legend: string; name: string; values: readonly string[]; chosen: string[] };

function Chips({ legend, name, values, chosen }: ChipsProps) {
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="mb-2 font-bold">{legend}</legend>
      {values.map((value) => (
        <Chip key={value} name={name} value={value} defaultChecked={chosen.includes(value)}>
          {value}
        </Chip>
      ))}
    </fieldset>
  );
}

function Choice({ children, ...input }: ComponentProps<"input">) {
  return (
    <label className="flex min-h-12 items-center gap-3 rounded-card border border-edge px-4 font-semibold has-checked:border-accent-edge has-checked:bg-sunken has-focus-visible:outline-3 has-focus-visible:outline-focus">
      <input type="checkbox" {...input} className="size-5 outline-none" />
      {children}
    </label>
  );
}

/** Clears the draft; without JavaScript, links to the unfiltered list. */
function ClearButton() {
  const hydrated = useHydrated();
  if (!hydrated) {
    return (
      <a href="/events" className="flex min-h-11 items-center font-semibold underline">
        Clear Selection
      </a>
    );
  }
  const clear = (event: MouseEvent<HTMLButtonElement>) => {
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
