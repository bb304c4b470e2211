import { useCombobox, type UseComboboxState, type UseComboboxStateChangeOptions } from "downshift";
import { type KeyboardEvent, useState } from "react";
import type { Country } from "#app/features/players/countries.server.ts";
import { TextField } from "#app/ui/field.tsx";
import { Check, ChevronDown } from "#app/ui/icon.tsx";
import { unaccented } from "#app/platform/text.ts";
import { Flag } from "./profile-parts.tsx";

/** What both forms of the field need: the native select and the one that searches. */
export interface NationalityChoice {
  id: string;
  name: string;
  label: string;
  error: string | undefined;
  countries: readonly Country[];
  /** The code of the chosen country, or "". */
  code: string;
  onChoose: (code: string) => void;
}

/** Searches the countries as one types; the arrow keys and Enter choose. */
export default function NationalitySearch(choice: NationalityChoice) {
  const { id, name, label, error, countries, code, onChoose } = choice;
  const chosen = countries.find((country) => country.code === code) ?? null;
  const [query, setQuery] = useState(nameOf(chosen));
  const items = query === nameOf(chosen) ? countries : countries.filter(matches(query));
  const search = useCombobox<Country>({
    items: [...items],
    itemToString: nameOf,
    itemToKey: (country) => country?.code,
    selectedItem: chosen,
    inputId: id,
    defaultHighlightedIndex: 0,
    stateReducer: keepOnlyChoices,
    onInputValueChange: ({ inputValue }) => setQuery(inputValue),
    onSelectedItemChange: ({ selectedItem }) => onChoose(selectedItem?.code ?? ""),
  });
  const { isOpen, getInputProps, getToggleButtonProps, getMenuProps } = search;
  // The label of the field names them already.
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
      <input type="hidden" name={name} value={code} />
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

/**
 * Only choosing changes the choice, and emptying the field: what is half typed when one leaves it
 * gives way to the name that was chosen before.
 */
function keepOnlyChoices(
  { selectedItem, inputValue }: UseComboboxState<Country>,
  { type, changes }: UseComboboxStateChangeOptions<Country>,
) {
  const { InputBlur, InputKeyDownEscape } = useCombobox.stateChangeTypes;
  if (type !== InputBlur && type !== InputKeyDownEscape) return changes;
  const kept = type === InputBlur && inputValue.trim() === "" ? null : selectedItem;
  return { ...changes, selectedItem: kept, inputValue: nameOf(kept) };
}

/** Escape closes the open list and not the dialog around it; Enter never sends the form then. */
function keepDialog(isOpen: boolean) {
  return (event: KeyboardEvent) => {
    if (isOpen && (event.key === "Escape" || event.key === "Enter")) event.preventDefault();
  };
}

function matches(query: string) {
  const wanted = unaccented(query);
  return ({ name, also }: Country) =>
    [name, ...also].some((text) => unaccented(text).includes(wanted));
}

function nameOf(country: Country | null | undefined): string {
  return country?.name ?? "";
}

const listClass =
  "mt-1 max-h-60 overflow-y-auto overscroll-contain rounded-card border border-edge bg-raised py-1";
