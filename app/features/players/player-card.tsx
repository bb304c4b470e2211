import { UnbrokenText } from "#app/ui/unbroken-text.tsx";
import { CardPitch, UPRIGHT } from "./card-pitch.tsx";
import { type CardView, nameStep } from "./card-view.ts";

/** The drawing of card-picture.server.tsx, but with text as text. */
export function PlayerCard({ card }: { card: CardView }) {
  return (
    <article aria-label="Player card" className={frameClass}>
      <CardPitch {...UPRIGHT} className="absolute inset-0 -z-10 size-full" />
      <Portrait card={card} />
      <div className={namesClass}>
        <h2>
          <Names card={card} />
        </h2>
        <Position card={card} />
      </div>
      <div className={boardClass}>
        <dl className="grid grid-cols-3">
          {card.stats.map(({ label, value }) => (
            <div key={label} className="flex flex-col-reverse justify-end">
              <dt className="mt-[1cqw] text-[max(3cqw,0.6875rem)] leading-none text-chalk/75">
                {label}
              </dt>
              <dd className={valueClass}>{value}</dd>
            </div>
          ))}
        </dl>
        {card.recent && (
          <p className="text-[max(3.1cqw,0.6875rem)] leading-none font-semibold text-accent">
            {card.recent}
          </p>
        )}
      </div>
    </article>
  );
}

/** A small picture, for pages that say in words what is on it. */
export function CardThumbnail({ card }: { card: CardView }) {
  return (
    <div aria-hidden className={frameClass}>
      <CardPitch {...UPRIGHT} className="absolute inset-0 -z-10 size-full" />
      <Portrait card={card} />
      <div className={namesClass}>
        <Names card={card} />
        <Position card={card} />
      </div>
      <div className={boardClass}>
        <div className="grid grid-cols-3">
          {card.stats.map(({ label, value }) => (
            <span key={label} className={valueClass}>
              {value}
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}

const frameClass =
  "@container relative isolate aspect-[4/5] w-full overflow-hidden rounded-[3.7%_/_3%] bg-night " +
  "text-center text-chalk";
const namesClass = "absolute inset-x-[6.5%] top-[55.9%] uppercase";
const boardClass =
  "absolute inset-x-[6.5%] top-[76.75%] bottom-[5.75%] grid content-center gap-[2cqw] " +
  "rounded-[3cqw] border border-chalk/15 bg-night/60";
const valueClass = "text-[7.8cqw] leading-none font-extrabold tabular-nums";

function Portrait({ card }: { card: CardView }) {
  return (
    <div className="absolute top-[12.96%] left-[26.39%] w-[47.22%]">
      {card.pictureUrl ? (
        <img
          src={card.pictureUrl}
          alt=""
          width="512"
          height="512"
          className="aspect-square size-full rounded-pill object-cover"
        />
      ) : (
        <p
          aria-hidden
          className="grid aspect-square place-items-center rounded-pill text-[18cqw] font-extrabold text-accent"
        >
          {card.initials}
        </p>
      )}
      {card.countryCode && (
        <img
          src={`/flags/${card.countryCode}.svg`}
          alt={card.country ?? ""}
          width="96"
          height="64"
          className="absolute top-[80%] left-[72%] h-auto w-[28%] rounded-[1cqw] border-[0.5cqw] border-chalk"
        />
      )}
    </div>
  );
}

function Names({ card: { firstName, lastName } }: { card: CardView }) {
  const [first, last] = [FIRST_SIZES[nameStep(firstName)], LAST_SIZES[nameStep(lastName)]];
  return (
    <>
      <span translate="no" className={`line-clamp-2 leading-[1.05] font-medium ${first}`}>
        <UnbrokenText text={firstName} />
      </span>
      <span className="sr-only"> </span>
      <span translate="no" className={`line-clamp-2 leading-[1.05] font-extrabold ${last}`}>
        <UnbrokenText text={lastName} />
      </span>
    </>
  );
}

function Position({ card: { position } }: { card: CardView }) {
  if (!position) return null;
  return (
    <p className="mt-[1.9cqw] text-[3.5cqw] leading-tight font-medium tracking-wide text-accent">
      {position}
    </p>
  );
}

const FIRST_SIZES = [
  "text-[6cqw]",
  "text-[6cqw]",
  "text-[5.4cqw]",
  "text-[3.6cqw]",
  "text-[3.4cqw]",
];
const LAST_SIZES = [
  "text-[11.5cqw]",
  "text-[8.6cqw]",
  "text-[6cqw]",
  "text-[4.8cqw]",
  "text-[3.4cqw]",
];
