import { useEffect, useRef, useState } from "react";
import { GAME_PRICE_CENTS } from "#app/features/games/rules.ts";
import { priceOf } from "#app/features/wallet/deal-rules.ts";
import { euros } from "#app/platform/money.ts";

/** What a credit and a game cost, as it is typed into the form around it. */
export function Prices() {
  const line = useRef<HTMLParagraphElement>(null);
  const [text, setText] = useState("");
  useEffect(() => {
    const form = line.current?.closest("form");
    if (!form) return;
    const show = () => setText(pricesText(form));
    show();
    form.addEventListener("input", show);
    return () => form.removeEventListener("input", show);
  }, []);
  return (
    <p ref={line} className="text-muted tabular-nums">
      {text}
    </p>
  );
}

function pricesText(form: HTMLFormElement): string {
  const fields = new FormData(form);
  const [priceCents, creditsCents] = [centsIn(fields.get("price")), centsIn(fields.get("credits"))];
  const deal = { priceCents, creditsCents };
  const [credit, game] = [priceOf(100, deal), priceOf(GAME_PRICE_CENTS, deal)];
  if (!priceCents || credit === null || game === null) return "";
  return `${euros(credit)} a credit, ${euros(game)} a game`;
}

/** 0 for what the server would reject. */
function centsIn(typed: FormDataEntryValue | null): number {
  const text = typeof typed === "string" ? typed.trim().replace(",", ".") : "";
  return /^\d{1,4}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : 0;
}
