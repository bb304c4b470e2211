import { classNames } from "#app/ui/class-names.ts";
import { CardPitch } from "./card-pitch.tsx";
import type { CardWords } from "./card-words.ts";

const SPOT = { x: 540, y: 446, radius: 262 };

/** The card as a page shows it: the drawing of card-picture.server.tsx, with text that is text. */
export function PlayerCard({ card }: { card: CardWords }) {
  return (
    <article
      aria-label="Player card"
      className="@container relative isolate aspect-[4/5] w-full max-w-md overflow-hidden rounded-card bg-night text-center text-chalk"
    >
      <CardPitch
        width={1080}
        height={1350}
        spot={SPOT}
        className="absolute inset-0 -z-10 size-full"
      />
      <Portrait card={card} />
      <div className="absolute inset-x-[6.5%] top-[55%] uppercase">
        <h2>
          <Line text={card.firstName} sizes={FIRST_SIZES} className="font-medium" />
          <span className="sr-only"> </span>
          <Line text={card.lastName} sizes={LAST_SIZES} className="font-extrabold" />
        </h2>
        {card.position && (
          <p className="mt-[1.4cqw] text-[3.5cqw] leading-tight font-medium tracking-wide text-accent">
            {card.position}
          </p>
        )}
      </div>
      <dl className="absolute inset-x-[11%] bottom-[6.2%] grid grid-cols-3 items-end">
        {card.stats.map(({ label, value }) => (
          <div key={label} className="flex flex-col-reverse">
            <dt className="mt-[1cqw] text-[max(2.8cqw,0.6875rem)] text-chalk/75 uppercase">
              {label}
            </dt>
            <dd className="text-[8.5cqw] leading-none font-extrabold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </article>
  );
}

function Portrait({ card }: { card: CardWords }) {
  return (
    <div className="absolute top-[15.63%] left-[28.24%] w-[43.52%]">
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
          className="grid aspect-square place-items-center rounded-pill text-[17cqw] font-extrabold text-accent"
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
          className="absolute top-[80%] left-[72%] h-auto w-[30%] rounded-[1cqw] border-[0.5cqw] border-chalk"
        />
      )}
    </div>
  );
}

type Sizes = [string, string, string, string];
// By length, so that nearly every name keeps to one line.
const LAST_SIZES: Sizes = ["text-[11.5cqw]", "text-[8.6cqw]", "text-[6cqw]", "text-[4.8cqw]"];
const FIRST_SIZES: Sizes = ["text-[6cqw]", "text-[6cqw]", "text-[5.4cqw]", "text-[3.6cqw]"];

function Line({ text, sizes, className }: { text: string; sizes: Sizes; className: string }) {
  const steps = [10, 14, 20].filter((length) => text.length > length).length;
  return (
    <span
      className={classNames(
        "line-clamp-2 block leading-[1.05] break-words",
        sizes[steps],
        className,
      )}
    >
      {text}
    </span>
  );
}
