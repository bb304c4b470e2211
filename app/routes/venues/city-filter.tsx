import { type ComponentType, useEffect, useRef, useState } from "react";
import { Form } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { Chip } from "#app/ui/chip.tsx";
import type { CityFilterProps } from "./city-combobox.tsx";

/** Checkboxes, replaced by a combobox once it has loaded and the form has no focus. */
export function CityFilter(props: CityFilterProps) {
  const form = useRef<HTMLDivElement>(null);
  const [Combobox, setCombobox] = useState(() => loaded);
  useEffect(() => {
    if (Combobox) return;
    const take = (component: typeof loaded) => {
      loaded = component;
      if (!form.current?.contains(document.activeElement)) setCombobox(() => component);
    };
    // If it cannot be loaded, the form stays.
    import("./city-combobox.tsx").then((file) => take(file.default)).catch(() => {});
  }, [Combobox]);
  return (
    <div ref={form} className="min-h-41 py-4">
      {Combobox ? <Combobox {...props} /> : <CityForm key={props.chosen.join()} {...props} />}
    </div>
  );
}

// Only set in the browser, after hydration.
let loaded: ComponentType<CityFilterProps> | null = null;

const NO_CITY = "no-city";

function CityForm({ cities, chosen }: CityFilterProps) {
  const unknown = chosen.filter((city) => !cities.includes(city));
  return (
    <>
      <Form method="get" action="/venues" id={NO_CITY} />
      <Form method="get" action="/venues">
        <fieldset>
          <legend className="mb-1.5 font-semibold">City</legend>
          <div className="flex flex-wrap gap-2">
            {[...cities, ...unknown].map((city) => (
              <Chip key={city} name="city" value={city} defaultChecked={chosen.includes(city)}>
                {city}
              </Chip>
            ))}
            <Button>Show venues</Button>
            <Button form={NO_CITY} variant="quiet">
              Clear
            </Button>
          </div>
        </fieldset>
      </Form>
    </>
  );
}
