import { RATINGS } from "#app/features/support/rules.ts";
import { Star } from "#app/ui/icon.tsx";

interface RatingFieldProps {
  id: string;
  name: string;
  defaultValue?: string | undefined;
  error?: string | undefined;
}

/** One of five: a radio group, whose stars are filled up to the chosen one. */
export function RatingField({ id, name, defaultValue, error }: RatingFieldProps) {
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-1.5 font-semibold">Rating *</legend>
      <div className="grid grid-cols-5 gap-1.5">
        {RATINGS.map((word, index) => (
          <label key={word} className={starClass}>
            <input
              // The error's link leads to the first of them.
              id={index === 0 ? id : undefined}
              type="radio"
              name={name}
              value={index + 1}
              required
              defaultChecked={defaultValue === String(index + 1)}
              className="absolute inset-0 size-full cursor-pointer opacity-0"
            />
            <Star className="star size-7" />
            <span className="tabular-nums">{index + 1}</span>
            <span className="text-sm font-normal">{word}</span>
          </label>
        ))}
      </div>
      {error && (
        <p id={`${id}-error`} className="mt-1.5 text-sm font-semibold text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}

// Filled: the chosen one and all before it.
const starClass =
  "relative grid min-h-24 content-center justify-items-center rounded-card border border-edge bg-raised px-1 py-2 " +
  "text-center font-semibold select-none hover:border-ink has-checked:border-2 has-checked:border-ink " +
  "has-checked:bg-sunken has-focus-visible:outline-3 has-focus-visible:outline-offset-2 " +
  "has-focus-visible:outline-focus [&:has(:checked)_.star]:fill-current [&:has(~_label_:checked)_.star]:fill-current";
