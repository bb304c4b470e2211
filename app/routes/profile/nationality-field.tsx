import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { SelectField } from "#app/ui/field.tsx";
import type { NationalityChoice } from "./nationality-choice.ts";

// A file of its own, loaded when the dialog opens; where it cannot be had, the select stays.
const NationalitySearch = lazy(() =>
  import("./nationality-search.tsx").catch(() => ({ default: NationalitySelect })),
);

type NationalityFieldProps = Omit<NationalityChoice, "code" | "onChoose"> & {
  defaultValue: string;
};

/** A select without JavaScript, a field to search in with it. */
export function NationalityField({ defaultValue, ...field }: NationalityFieldProps) {
  const [code, setCode] = useState(defaultValue);
  const { box, isSeen } = useSeen();
  const choice = { ...field, code, onChoose: setCode };
  const select = <NationalitySelect {...choice} />;
  return (
    <div ref={box}>
      {isSeen ? (
        <Suspense fallback={select}>
          <NationalitySearch {...choice} />
        </Suspense>
      ) : (
        select
      )}
    </div>
  );
}

function NationalitySelect({ countries, code, onChoose, ...field }: NationalityChoice) {
  return (
    <SelectField {...field} value={code} onChange={({ target }) => onChoose(target.value)}>
      <option value="">No nationality</option>
      {countries.map((country) => (
        <option key={country.code} value={country.code}>
          {country.name}
        </option>
      ))}
    </SelectField>
  );
}

/** Whether an element has come into sight, as in a dialog that was opened. */
function useSeen() {
  const box = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) setSeen(true);
    });
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return { box, isSeen };
}
