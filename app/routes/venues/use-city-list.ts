import { useCombobox } from "downshift";
import { useNavigate, useNavigation } from "react-router";
import { parseCities } from "#app/features/venues/rules.ts";
import { cityPath } from "./city-path.ts";

/** The cities of the address that is shown or on its way, and the way to another. */
export function useCitiesInAddress(chosen: string[]) {
  const navigate = useNavigate();
  const { location } = useNavigation();
  const isOnTheWay = location?.pathname === "/venues";
  const selected = isOnTheWay ? parseCities(new URLSearchParams(location.search)) : chosen;
  const choose = (cities: string[]) => {
    void navigate(cityPath(cities), { preventScrollReset: true });
  };
  return { selected, choose };
}

interface CityList {
  inputId: string;
  cities: string[];
  options: string[];
  search: string;
  setSearch: (search: string) => void;
  selected: string[];
  choose: (cities: string[]) => void;
}

/** A choice is taken or given back and leaves the list open, as it was before the search. */
export function useCityList({
  inputId,
  cities,
  options,
  search,
  setSearch,
  selected,
  choose,
}: CityList) {
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
