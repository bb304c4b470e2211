import { readFile } from "node:fs/promises";
import path from "node:path";
import type { CSSProperties, ReactNode } from "react";
import { findSharedCard } from "#app/features/players/cards.server.ts";
import {
  drawableText,
  type Picture,
  readOwnPicture,
  squareDataUrl,
} from "#app/platform/images/drawn-pictures.server.ts";
import { projectRoot } from "#app/platform/root.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { CardPitch, LYING, UPRIGHT } from "./card-pitch.tsx";
import { type CardView, initialsOf, toCardView } from "./card-view.ts";

interface CardFacts {
  view: CardView;
  /** Set for a shared card, whose pictures are deleted when sharing stops. */
  token?: string;
  brandName: string;
  dataDir: string;
}

/** Anyone with the link sees the card; search engines must not list it. */
export const UNLISTED = { "X-Robots-Tag": "noindex" };

export async function loadSharedCard({ db, env, now }: App, token: string) {
  const card = await findSharedCard(db, token, now());
  const { brandName, dataDir } = env;
  return card && { view: toCardView(card), token, brandName, dataDir };
}

/** Increased when the drawing changes, so that cached pictures expire. */
const DESIGN = 3;

export function cardPicture(card: CardFacts, format: "card" | "social-card" = "card"): Picture {
  const { view, token, brandName } = card;
  const [{ width, height }, layOut] = format === "card" ? [UPRIGHT, upright] : [LYING, lying];
  return {
    width,
    height,
    ...(token && { owner: token }),
    facts: [format, DESIGN, view, brandName],
    draw: async () => layOut(await prepareCard(card)),
  };
}

function upright(card: DrawnCard) {
  return (
    <Frame>
      <CardPitch {...UPRIGHT} />
      <Brand name={card.brand} style={{ top: 62, width: 1080, justifyContent: "center" }} />
      <Portrait card={card} side={470} left={305} top={211} />
      <Names card={card} width={940} size={124} centred style={{ left: 70, top: 742 }} />
      <Stats stats={card.stats} size={92} centred style={{ left: 120, top: 1122, width: 840 }} />
    </Frame>
  );
}

function lying(card: DrawnCard) {
  return (
    <Frame>
      <CardPitch {...LYING} lies />
      <Brand name={card.brand} style={{ top: 66, left: 560, width: 380 }} />
      <Portrait card={card} side={340} left={120} top={160} />
      <Names card={card} width={580} size={84} style={{ left: 560, top: 156 }} />
      <Stats stats={card.stats} size={64} style={{ left: 560, top: 440, width: 610 }} />
    </Frame>
  );
}

/** The card with only the characters that can be drawn, and with the data of its pictures. */
async function prepareCard({ view, brandName, dataDir }: CardFacts) {
  const texts = [view.firstName, view.lastName, brandName];
  const [firstName = "", lastName = "", brand = ""] = await Promise.all(texts.map(drawableText));
  const drawable = [firstName, lastName].filter(Boolean).map(capitals);
  // A name that our fonts cannot draw is shown in full on the page.
  const names = drawable.length > 0 ? drawable : ["Player"];
  const file = view.pictureUrl && (await readOwnPicture(dataDir, view.pictureUrl));
  return {
    names,
    initials: initialsOf(names),
    brand,
    position: view.position,
    stats: view.stats,
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
/** Width of a bold capital, relative to the font size. */
const CAPITAL = 0.74;

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
  const flag = { width: side * 0.3, height: side * 0.2 };
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

/** The last name as large as fits, with the position below. */
function Names({ card, width, size, centred, style }: NamesProps) {
  const last = card.names.at(-1) ?? "";
  const first = card.names.slice(0, -1).join(" ");
  const line: CSSProperties = { ...CLAMPED, width, textAlign: centred ? "center" : "left" };
  return (
    <div style={{ ...at({ ...style, width }), flexDirection: "column" }}>
      {first && <div style={{ ...line, ...fit(first, width, size * 0.52) }}>{first}</div>}
      <div style={{ ...line, ...fit(last, width, size), fontWeight: 800 }}>{last}</div>
      {card.position && (
        <div
          style={{ ...line, ...LABEL, fontSize: size * 0.3, color: LIME, marginTop: size * 0.12 }}
        >
          {card.position}
        </div>
      )}
    </div>
  );
}

type StatsProps = {
  stats: DrawnCard["stats"];
  size: number;
  centred?: boolean;
  style: CSSProperties;
};

function Stats({ stats, size, centred, style }: StatsProps) {
  const column: CSSProperties = {
    display: "flex",
    flexDirection: "column",
    alignItems: centred ? "center" : "flex-start",
    width: `${100 / stats.length}%`,
  };
  return (
    <div style={at(style)}>
      {stats.map(({ label, value }) => (
        <div key={label} style={column}>
          <div style={{ fontSize: size, fontWeight: 800, lineHeight: 1 }}>{value}</div>
          <div style={{ ...LABEL, fontSize: size * 0.36, color: MUTED, marginTop: 12 }}>
            {label}
          </div>
        </div>
      ))}
    </div>
  );
}

const SURFACE = "#121a16";
const CENTRED: CSSProperties = { display: "flex", alignItems: "center", justifyContent: "center" };
const CLAMPED: CSSProperties = {
  display: "block",
  textTransform: "uppercase",
  lineHeight: 1.04,
  lineClamp: 2,
  wordBreak: "break-word",
};

function at(place: CSSProperties): CSSProperties {
  return { position: "absolute", display: "flex", ...place };
}

/** As large as the text fits on one line; a very long one gets two small lines. */
function fit(text: string, width: number, most: number): CSSProperties {
  const fitting = width / (CAPITAL * Math.max(1, [...text].length));
  return { fontSize: Math.round(Math.min(most, Math.max(most * 0.42, fitting))) };
}
