import { useEffect, useId, useRef } from "react";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { PackView } from "./plans.server.ts";

type PackOptionsProps = {
  label: string;
  packs: PackView[];
  chosenId: string | null;
  choose: (packId: string) => void;
  /** What came of a form without a choice; a new object takes the focus again. */
  missing: { text: string } | null;
};

export function PackOptions({ label, packs, chosenId, choose, missing }: PackOptionsProps) {
  const ref = useRef<HTMLFieldSetElement>(null);
  const errorId = useId();
  useEffect(() => {
    if (missing) ref.current?.querySelector("input")?.focus();
  }, [missing]);
  if (packs.length === 0) return <p>None on sale right now.</p>;
  return (
    <fieldset ref={ref} aria-describedby={missing ? errorId : undefined} className="grid gap-3">
      <legend className="sr-only">{label}</legend>
      {packs.map((pack) => (
        <PackOption
          key={pack.id}
          pack={pack}
          isChosen={pack.id === chosenId}
          choose={() => choose(pack.id)}
        />
      ))}
      {missing && (
        <p id={errorId} role="alert" className="text-sm font-semibold text-danger">
          {missing.text}
        </p>
      )}
    </fieldset>
  );
}

type PackOptionProps = { pack: PackView; isChosen: boolean; choose: () => void };

function PackOption({ pack, isChosen, choose }: PackOptionProps) {
  const hydrated = useHydrated();
  return (
    <label className={optionClass}>
      <input
        type="radio"
        form="plan-form"
        name="packId"
        value={pack.id}
        checked={isChosen}
        disabled={pack.isDisabled}
        onChange={choose}
        className="size-5 shrink-0 accent-ink focus-visible:outline-none"
      />
      <span className="grid grow gap-y-0.5">
        <span className="flex flex-wrap justify-between gap-x-2 font-bold tabular-nums">
          <span>{pack.name}</span>
          <span>{pack.isMonthly ? pack.price : pack.perGame}</span>
        </span>
        <span className="text-sm text-muted tabular-nums">
          {pack.credits}
          {pack.isMonthly && (
            <>
              {" · "}
              <span className="whitespace-nowrap">{pack.perGame}</span>
            </>
          )}
          {/* The total below follows the choice. */}
          {!hydrated && ` · ${pack.total}`}
        </span>
        {pack.note && <span className="text-sm">{pack.note}</span>}
        {/* Once the button's line follows the choice, that says it, or the line below all of them. */}
        {!hydrated && <span className="text-sm">{pack.renewal}</span>}
        {pack.isPopular && (
          <span className="wide absolute -top-3 left-11 grid min-h-5 place-items-center justify-self-start rounded-pill bg-ink px-3 text-sm leading-none font-bold text-canvas large:static large:mt-1">
            MOST POPULAR
          </span>
        )}
      </span>
    </label>
  );
}

const optionClass =
  "relative flex items-center gap-3 rounded-card border border-edge px-3 py-3 " +
  "has-enabled:hover:border-ink has-disabled:border-line has-disabled:text-muted has-checked:border-ink has-checked:bg-sunken has-checked:[box-shadow:inset_0_0_0_1px_var(--ink)] " +
  "has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus";
