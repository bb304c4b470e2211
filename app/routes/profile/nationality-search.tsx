import { useCombobox, type UseComboboxState, type UseComboboxStateChangeOptions } from "downshift";
import { type KeyboardEvent, useState } from "react";
import type { Country } from "#app/features/players/countries.server.ts";
import { TextField } from "#app/ui/field.tsx";
import { Check, ChevronDown } from "#app/ui/icon.tsx";
import { folded } from "#app/platform/text.ts";
import { Flag } from "./profile-parts.tsx";

export interface NationalityChoice {
  id: string;
  name: string;
  label: string;
  error: string | undefined;
  countries: readonly Country[];
  code: string;
  onChoose: (code: string) => void;
}

export default function NationalitySearch(choice: NationalityChoice) {
  const { id, name, label, error, countries, code, onChoose } = choice;
  const chosen = countries.find((country) => country.code === code) ?? null;
  const [query, setQuery] = useState(nameOf(chosen));
  const isChosen = query === nameOf(chosen);
  const items = isChosen ? countries : countries.filter(matches(query));
  const search = useCombobox<Country>({
    items: [...items],
    itemToString: nameOf,
    itemToKey: (country) => country?.code,
    selectedItem: chosen,
    inputId: id,
    defaultHighlightedIndex: 0,
    stateReducer: (state, change) => keepOnlyChoices(countries, state, change),
    onInputValueChange: ({ inputValue }) => setQuery(inputValue),
    onSelectedItemChange: ({ selectedItem }) => onChoose(selectedItem?.code ?? ""),
  });
  const { isOpen, getInputProps, getToggleButtonProps, getMenuProps } = search;
  // The field's label names them already.
  const { "aria-labelledby": _, ...input } = getInputProps({ onKeyDown: keepDialog(isOpen) });
  return (
    <div className="relative">
      <TextField
        {...input}
        label={label}
        error={error}
        placeholder="Search countries"
        autoComplete="off"
      />
      {/* A text that chose no country is sent as it is: the server says so beside the field. */}
      <input type="hidden" name={name} value={isChosen ? (chosen?.code ?? "") : query.trim()} />
      <button
        {...getToggleButtonProps({ "aria-label": "Show countries" })}
        type="button"
        className="absolute top-7.5 right-0 grid size-12 place-items-center text-muted"
      >
        <ChevronDown className="size-5" />
      </button>
      <ul
        {...getMenuProps({ "aria-label": "Countries" })}
        className={isOpen && items.length > 0 ? listClass : "hidden"}
      >
        {isOpen && items.map((country, index) => option(search, country, index, chosen))}
      </ul>
      <p role="status" className={isOpen && items.length === 0 ? "p-3 text-muted" : "sr-only"}>
        {isOpen && (items.length === 0 ? "No options found" : `${items.length} countries`)}
      </p>
    </div>
  );
}

type Search = ReturnType<typeof useCombobox<Country>>;

function option(search: Search, country: Country, index: number, chosen: Country | null) {
  return (
    <li
      key={country.code}
      {...search.getItemProps({ item: country, index })}
      className={`flex min-h-11 items-center gap-3 px-4 ${search.highlightedIndex === index ? "bg-ink text-canvas forced-colors:outline-2 forced-colors:-outline-offset-2" : ""}`}
    >
      <Flag src={`/flags/${country.code}.svg`} />
      <span className="grow">{country.name}</span>
      {country === chosen && <Check className="size-5" />}
    </li>
  );
}

/** A complete typed name is chosen on leaving the field; other text stays to be corrected. */
function keepOnlyChoices(
  countries: readonly Country[],
  { selectedItem, inputValue }: UseComboboxState<Country>,
  { type, changes }: UseComboboxStateChangeOptions<Country>,
) {
  const { InputBlur, InputKeyDownEscape } = useCombobox.stateChangeTypes;
  if (type === InputKeyDownEscape)
    return { ...changes, selectedItem, inputValue: nameOf(selectedItem) };
  if (type !== InputBlur) return changes;
  const text = folded(inputValue);
  if (text === "") return { ...changes, selectedItem: null, inputValue: "" };
  const named = countries.find(({ name }) => folded(name) === text);
  if (!named) return { ...changes, selectedItem, inputValue };
  return { ...changes, selectedItem: named, inputValue: named.name };
}

/** In an open list, Escape does not close the dialog and Enter does not submit the form. */
function keepDialog(isOpen: boolean) {
  return (event: KeyboardEvent) => {
    if (isOpen && (event.key === "Escape" || event.key === "Enter")) event.preventDefault();
  };
}

function matches(query: string) {
  const wanted = folded(query);
  return ({ name, also }: Country) => [name, ...also].some((text) => folded(text).includes(wanted));
}

function nameOf(country: Country | null | undefined): string {
  return country?.name ?? "";
}

const listClass =
  "mt-1 max-h-60 overflow-y-auto overscroll-contain rounded-card border border-edge bg-raised py-1";
