import { readFile } from "node:fs/promises";
import path from "node:path";
import type { CSSProperties, ReactNode } from "react";
import { findSharedCard } from "#app/features/players/cards.server.ts";
import { type Files, openFiles } from "#app/platform/files.server.ts";
import { drawableText } from "#app/platform/images/fonts.server.ts";
import {
  type Picture,
  readOwnPicture,
  squareDataUrl,
} from "#app/platform/images/drawn-pictures.server.ts";
import { projectRoot } from "#app/platform/root.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { initialsOf } from "#app/ui/avatar.tsx";
import { CardPitch, LANDSCAPE, UPRIGHT } from "#app/features/players/card-pitch.tsx";
import {
  type CardView,
  nameLineHeight,
  nameStep,
  toCardView,
} from "#app/features/players/card-view.ts";

interface CardFacts {
  view: CardView;
  /** Set for a shared card, whose pictures are deleted when sharing stops. */
  token?: string;
  brandName: string;
  files: Files;
}

/** Anyone with the link sees the card; search engines must not list it. */
export const UNLISTED = { "X-Robots-Tag": "noindex" };

export async function loadSharedCard({ db, env, now }: App, token: string) {
  const card = await findSharedCard(db, token, now());
  const { brandName } = env;
  return card && { view: toCardView(card), token, brandName, files: openFiles(env) };
}

/** Increased when the drawing changes, so that cached pictures expire. */
const DESIGN = 5;

export function cardPicture(card: CardFacts, format: "card" | "social-card" = "card"): Picture {
  const { view, token, brandName } = card;
  const [{ width, height }, layOut] =
    format === "card" ? [UPRIGHT, upright] : [LANDSCAPE, landscape];
  return {
    width,
    height,
    ...(token && { owner: token }),
    facts: [format, DESIGN, view, brandName],
    file: async () => (view.pictureUrl ? readOwnPicture(card.files, view.pictureUrl) : null),
    draw: async (file) => layOut(await prepareCard(card, file)),
  };
}

function upright(card: DrawnCard) {
  const board = { left: 70, top: 1036, width: 940, height: 236 };
  return (
    <Frame>
      <CardPitch {...UPRIGHT} />
      <Brand name={card.brand} style={{ top: 58, width: 1080, justifyContent: "center" }} />
      <Portrait card={card} side={510} left={285} top={175} />
      <Names card={card} width={940} size={124} centred style={{ left: 70, top: 754 }} />
      <Board card={card} size={84} centred style={{ ...BOARD, ...board }} />
    </Frame>
  );
}

function landscape(card: DrawnCard) {
  const board = { left: 560, top: 372, width: 580 };
  return (
    <Frame>
      <CardPitch {...LANDSCAPE} lies />
      <Brand name={card.brand} style={{ top: 62, left: 560, width: 380 }} />
      <Portrait card={card} side={354} left={113} top={153} />
      <Names card={card} width={580} size={78} style={{ left: 560, top: 144 }} />
      <Board card={card} size={76} style={board} />
    </Frame>
  );
}

async function prepareCard({ view, brandName }: CardFacts, file: Buffer | null) {
  const texts = [view.firstName, view.lastName, brandName];
  const [firstName = "", lastName = "", brand = ""] = await Promise.all(texts.map(drawableText));
  const drawable = [firstName, lastName].filter(Boolean).map(capitals);
  // The page shows in full a name that our fonts cannot draw.
  const names = drawable.length > 0 ? drawable : ["Player"];
  return {
    names,
    initials: initialsOf(names),
    brand,
    position: view.position,
    stats: view.stats,
    recent: view.recent,
    face: file ? await squareDataUrl(file, 470) : null,
    flag: await flagDataUrl(view.countryCode),
  };
}

type DrawnCard = Awaited<ReturnType<typeof prepareCard>>;

/** Only the Greek locale removes accents from capitals. */
function capitals(name: string): string {
  return name.replace(/\p{Script=Greek}+/gu, (part) => part.toLocaleUpperCase("el"));
}

async function flagDataUrl(code: string | null): Promise<string | null> {
  if (!code || !/^[A-Z]{2}$/.test(code)) return null;
  const folder = path.join(projectRoot, "public", "flags");
  const svg = await readFile(path.join(folder, `${code}.svg`)).catch(() => null);
  return svg && `data:image/svg+xml;base64,${svg.toString("base64")}`;
}

const CHALK = "#f5faf1";
const LIME = "#cdf84a";
const MUTED = "#a1b2a7";
const LABEL: CSSProperties = { fontWeight: 500, textTransform: "uppercase", letterSpacing: 1 };

function Frame({ children }: { children: ReactNode }) {
  return (
    <div style={{ display: "flex", width: "100%", height: "100%", color: CHALK }}>{children}</div>
  );
}

function Brand({ name, style }: { name: string; style: CSSProperties }) {
  return <div style={{ ...at(style), ...LABEL, fontSize: 30, color: MUTED }}>{name}</div>;
}

function Portrait(props: { card: DrawnCard; side: number; left: number; top: number }) {
  const { card, side, left, top } = props;
  const flag = { width: side * 0.28, height: side * 0.187 };
  return (
    <div style={at({ left, top, width: side, height: side })}>
      <div
        style={{ ...CENTRED, width: side, height: side, borderRadius: side, background: SURFACE }}
      >
        {card.face ? (
          <img src={card.face} alt="" width={side} height={side} style={{ borderRadius: side }} />
        ) : (
          <div style={{ fontSize: side * 0.4, fontWeight: 800, color: LIME }}>{card.initials}</div>
        )}
      </div>
      {card.flag && (
        <img
          {...flag}
          src={card.flag}
          alt=""
          style={{
            position: "absolute",
            left: side * 0.72,
            top: side * 0.8,
            borderRadius: 10,
            border: `5px solid ${CHALK}`,
          }}
        />
      )}
    </div>
  );
}

type NamesProps = {
  card: DrawnCard;
  width: number;
  size: number;
  centred?: boolean;
  style: CSSProperties;
};

function Names({ card, width, size, centred, style }: NamesProps) {
  const last = card.names.at(-1) ?? "";
  const first = card.names.slice(0, -1).join(" ");
  const lineHeight = nameLineHeight(first + last);
  const align = centred ? "center" : "left";
  const line: CSSProperties = { ...CLAMPED, lineHeight, width, textAlign: align };
  const steps = [nameStep(first), nameStep(last)] as const;
  // Taller lines take little more room: names on two lines have none to spare.
  const room = (Math.max(...steps) < 2 ? 1.13 : 1.04) / lineHeight;
  const [firstSize, lastSize] = [FIRST_SIZES[steps[0]]!, LAST_SIZES[steps[1]]!].map(
    (each) => each * Math.min(1, room),
  ) as [number, number];
  return (
    <div style={{ ...at({ ...style, width }), flexDirection: "column" }}>
      {first && <div style={{ ...line, fontSize: size * firstSize }}>{first}</div>}
      <div style={{ ...line, fontSize: size * lastSize, fontWeight: 800 }}>{last}</div>
      {card.position && (
        <div
          style={{ ...line, ...LABEL, fontSize: size * 0.3, color: LIME, marginTop: size * 0.17 }}
        >
          {card.position}
        </div>
      )}
    </div>
  );
}

// By `nameStep`, relative to the largest, as on the page.
const FIRST_SIZES = [0.52, 0.52, 0.47, 0.31, 0.3];
const LAST_SIZES = [1, 0.75, 0.52, 0.42, 0.3];

type BoardProps = { card: DrawnCard; size: number; centred?: boolean; style: CSSProperties };

function Board({ card, size, centred, style }: BoardProps) {
  const alignItems = centred ? "center" : "flex-start";
  const column: CSSProperties = { display: "flex", flexDirection: "column", alignItems };
  return (
    <div style={{ ...at(style), ...column, alignItems: "stretch", justifyContent: "center" }}>
      <div style={{ display: "flex" }}>
        {card.stats.map(({ label, value }) => (
          <div key={label} style={{ ...column, width: `${100 / card.stats.length}%` }}>
            <div style={{ fontSize: size, fontWeight: 800, lineHeight: 1 }}>{value}</div>
            <div style={{ fontSize: size * 0.4, fontWeight: 500, color: MUTED }}>{label}</div>
          </div>
        ))}
      </div>
      {card.recent && (
        <div style={{ ...column, fontSize: size * 0.4, color: LIME, marginTop: size * 0.3 }}>
          {card.recent}
        </div>
      )}
    </div>
  );
}

const BOARD: CSSProperties = {
  borderRadius: 32,
  border: "1.5px solid rgba(245, 250, 241, 0.15)",
  background: "rgba(8, 17, 12, 0.6)",
};
const SURFACE = "#121a16";
const CENTRED: CSSProperties = { display: "flex", alignItems: "center", justifyContent: "center" };
const CLAMPED: CSSProperties = {
  display: "block",
  textTransform: "uppercase",
  lineClamp: 2,
  wordBreak: "break-word",
};

function at(place: CSSProperties): CSSProperties {
  return { position: "absolute", display: "flex", ...place };
}
