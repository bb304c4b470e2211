import type { CSSProperties, ReactNode } from "react";
import type { DrawnCard } from "./card-drawing.server.ts";

const CHALK = "#f5faf1";
const LIME = "#cdf84a";
const MUTED = "#a1b2a7";
const LABEL: CSSProperties = { fontWeight: 500, textTransform: "uppercase", letterSpacing: 1 };
/** How wide a capital of the heavy weight is, to its height. */
const CAPITAL = 0.74;

/** The root of a drawing: everything in it has its place by measure. */
export function Frame({ children }: { children: ReactNode }) {
  return (
    <div style={{ display: "flex", width: "100%", height: "100%", color: CHALK }}>{children}</div>
  );
}

export function Brand({ name, style }: { name: string; style: CSSProperties }) {
  return <div style={{ ...at(style), ...LABEL, fontSize: 30, color: MUTED }}>{name}</div>;
}

type PortraitProps = { card: DrawnCard; side: number; left: number; top: number };

/** The face, or initials in the centre circle, with the flag at its edge. */
export function Portrait({ card, side, left, top }: PortraitProps) {
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

/** The last of the names large, as large as it fits; the position below. */
export function Names({ card, width, size, centred, style }: NamesProps) {
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

export function Stats({ stats, size, centred, style }: StatsProps) {
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
