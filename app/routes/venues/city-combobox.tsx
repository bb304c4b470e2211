import { useCombobox, useMultipleSelection } from "downshift";
import { useId, useState } from "react";
import { useNavigate, useNavigation } from "react-router";
import { cityPath, parseCities } from "#app/features/venues/rules.ts";
import { folded } from "#app/platform/text.ts";
import { Button } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { Check, ChevronDown, Cross } from "#app/ui/icon.tsx";

export interface CityFilterProps {
  cities: string[];
  /** Cities in the URL, even unknown ones. */
  chosen: string[];
}

export default function CityCombobox({ cities, chosen }: CityFilterProps) {
  const { selected, choose } = useCitiesInAddress(chosen);
  const [search, setSearch] = useState("");
  const options = cities.filter((city) => folded(city).includes(folded(search)));
  const chips = useMultipleSelection({
    selectedItems: selected,
    onSelectedItemsChange: ({ selectedItems }) => choose(selectedItems),
  });
  const inputId = useId();
  const box = useCityList({ inputId, cities, options, search, setSearch, selected, choose });
  const clear = () => {
    setSearch("");
    if (selected.length > 0) choose([]);
  };
  return (
    <div className="max-w-2xl">
      <label {...box.getLabelProps()} htmlFor={inputId} className="mb-1.5 block font-semibold">
        City
      </label>
      <div className="flex gap-2">
        <div className="relative grow">
          <input
            {...box.getInputProps({
              ...chips.getDropdownProps({ preventKeyAction: box.isOpen }),
              // At once: the combobox's own event comes late and loses fast typing.
              onChange: (event) => setSearch(event.currentTarget.value),
              // Without options the combobox would still name an active one.
              ...(options.length === 0 && { "aria-activedescendant": undefined }),
            })}
            placeholder="Search cities"
            className="min-h-12 w-full rounded-card border border-edge bg-raised py-2.5 pr-13 pl-4 placeholder:text-muted hover:border-ink"
          />
          <button
            {...box.getToggleButtonProps()}
            type="button"
            aria-label="Show cities"
            className="absolute inset-y-0 right-0 grid w-12 place-items-center rounded-card text-muted hover:text-ink"
          >
            <ChevronDown className="size-5" />
          </button>
          <Options box={box} options={options} selected={selected} />
        </div>
        <Button type="button" variant="quiet" className="min-h-12" onClick={clear}>
          Clear
        </Button>
      </div>
      <Chips inputId={inputId} chips={chips} selected={selected} />
    </div>
  );
}

type OptionsProps = {
  box: ReturnType<typeof useCityList>;
  options: string[];
  selected: string[];
};

function Options({ box, options, selected }: OptionsProps) {
  const isShown = box.isOpen && options.length > 0;
  return (
    <div
      className={classNames(
        "absolute inset-x-0 top-full z-20 mt-1 overflow-hidden rounded-card bg-raised",
        box.isOpen && "border border-edge shadow-card",
      )}
    >
      <ul
        {...box.getMenuProps({ "aria-multiselectable": true })}
        hidden={!isShown}
        className="max-h-72 overflow-y-auto"
      >
        {isShown &&
          options.map((city, index) => (
            <li
              key={city}
              {...box.getItemProps({
                item: city,
                index,
                "aria-selected": selected.includes(city),
              })}
              className={classNames(
                "flex min-h-11 items-center gap-3 px-4 font-semibold select-none",
                index === box.highlightedIndex &&
                  "bg-sunken [box-shadow:inset_3px_0_0_var(--focus)] forced-colors:outline-2 forced-colors:-outline-offset-2",
              )}
            >
              {city}
              {selected.includes(city) && <Check className="ml-auto size-5" />}
            </li>
          ))}
      </ul>
      {/* Always there: a status is only announced when its text changes. */}
      <p role="status" className={isShown || !box.isOpen ? undefined : "px-4 py-3"}>
        {isShown || !box.isOpen ? "" : "No options found"}
      </p>
    </div>
  );
}

type ChipsProps = {
  inputId: string;
  chips: ReturnType<typeof useMultipleSelection<string>>;
  selected: string[];
};

function Chips({ inputId, chips, selected }: ChipsProps) {
  if (selected.length === 0) {
    return <p className="mt-2 flex min-h-11 items-center text-muted">All cities</p>;
  }
  return (
    <ul aria-label="Chosen cities" className="mt-2 flex flex-wrap gap-2">
      {selected.map((city, index) => (
        // By index, so that the focus stays when an earlier city is removed.
        <li key={index}>
          <button
            type="button"
            aria-label={`Remove ${city}`}
            {...chips.getSelectedItemProps({ selectedItem: city, index, tabIndex: 0 })}
            onClick={({ detail }) => {
              chips.removeSelectedItem(city);
              // Only by keyboard: focusing the input by touch would open the screen keyboard.
              if (detail === 0) document.getElementById(inputId)?.focus();
            }}
            className="inline-flex min-h-11 items-center gap-2 rounded-pill border border-ink bg-ink px-4 font-semibold text-canvas"
          >
            {city} <Cross className="size-4" />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The cities in the current or pending URL, and a setter. */
function useCitiesInAddress(chosen: string[]) {
  const navigate = useNavigate();
  const { location } = useNavigation();
  const isOnTheWay = location?.pathname === "/venues";
  const selected = isOnTheWay ? parseCities(new URLSearchParams(location.search)) : chosen;
  const choose = (cities: string[]) => {
    void navigate(cityPath(cities), { preventScrollReset: true });
  };
  return { selected, choose };
}

type CityList = ReturnType<typeof useCitiesInAddress> & {
  inputId: string;
  cities: string[];
  options: string[];
  search: string;
  setSearch: (search: string) => void;
};

/** Choosing toggles a city and keeps the list open, without the search. */
function useCityList({ inputId, cities, options, search, setSearch, selected, choose }: CityList) {
  const toggle = (city: string) =>
    choose(
      selected.includes(city) ? selected.filter((other) => other !== city) : [...selected, city],
    );
  return useCombobox<string>({
    inputId,
    items: options,
    inputValue: search,
    selectedItem: null,
    defaultHighlightedIndex: 0,
    stateReducer: (_, { type, changes }) => {
      if (!CHOICES.includes(type) || !changes.selectedItem) return changes;
      const highlightedIndex = cities.indexOf(changes.selectedItem);
      return { ...changes, isOpen: true, highlightedIndex };
    },
    onStateChange: ({ type, selectedItem }) => {
      if (CHOICES.includes(type) && selectedItem) toggle(selectedItem);
      if (ENDS.includes(type)) setSearch("");
    },
  });
}

const TYPES = useCombobox.stateChangeTypes;
const CHOICES: unknown[] = [TYPES.InputKeyDownEnter, TYPES.ItemClick];
const ENDS: unknown[] = [...CHOICES, TYPES.InputBlur, TYPES.InputKeyDownEscape];
