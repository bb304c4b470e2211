import { Form } from "react-router";
import { ButtonLink } from "#app/ui/button.tsx";
import { ChevronDown } from "#app/ui/icon.tsx";
import { MoveButton } from "#app/routes/admin/move-button.tsx";
import { ActiveSwitch } from "./active-switch.tsx";
import { LogoTile } from "./logo-tile.tsx";
import { PARTNERS, partnerPath, type PartnerWords } from "./partner-words.ts";

interface PartnerRowProps {
  partner: PartnerWords;
  isFirst: boolean;
  isLast: boolean;
}

/** One partner: a card on a phone, a line where there is room. */
export function PartnerRow({ partner, isFirst, isLast }: PartnerRowProps) {
  const { id, name, website, sortOrder } = partner;
  return (
    <article
      aria-label={name}
      className="grid gap-3 rounded-card bg-surface p-3 shadow-card md:grid-cols-[minmax(0,1fr)_auto] md:items-center md:gap-6"
    >
      <div className="flex min-w-0 items-center gap-4">
        <LogoTile partner={partner} />
        <div className="min-w-0">
          <h3 className="text-base wrap-anywhere">{name}</h3>
          <p className="wrap-anywhere text-sm text-muted">{website || "No website"}</p>
          <p className="text-sm text-muted tabular-nums">Sort order {sortOrder}</p>
        </div>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <ActiveSwitch partner={partner} />
        <Form method="post" action={PARTNERS} preventScrollReset className="flex">
          <input type="hidden" name="partnerId" value={id} />
          <Move direction="up" name={name} isAtEnd={isFirst} />
          <Move direction="down" name={name} isAtEnd={isLast} />
        </Form>
        <ButtonLink to={partnerPath(id)} aria-label={`Edit ${name}`}>
          Edit
        </ButtonLink>
      </div>
    </article>
  );
}

type MoveProps = { direction: "up" | "down"; name: string; isAtEnd: boolean };

function Move({ direction, name, isAtEnd }: MoveProps) {
  return (
    <MoveButton
      variant="quiet"
      name="intent"
      value={direction}
      aria-label={`Move ${name} ${direction}`}
      isAtEnd={isAtEnd}
      className="px-2.5"
    >
      <ChevronDown className={direction === "up" ? "size-5 rotate-180" : "size-5"} />
    </MoveButton>
  );
}
