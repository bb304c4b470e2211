import type { CSSProperties } from "react";
import type { GameDetails } from "#app/features/games/games.server.ts";
import {
  clockTime,
  hasStarted,
  isOver,
  spotsLeft,
  spotsText,
  spotsTone,
} from "#app/features/games/rules.ts";
import { monthDay, upperWeekday } from "#app/platform/clock.ts";
import { openFiles } from "#app/platform/files.server.ts";
import { drawableText } from "#app/platform/images/fonts.server.ts";
import { type Picture, readOwnPicture } from "#app/platform/images/drawn-pictures.server.ts";
import type { App } from "#app/routes/context.server.ts";

/** Increased when the drawing changes, so that cached pictures expire. */
const DESIGN = 2;
const NIGHT = "#08110c";
const CHALK = "#f5faf1";
const LIME = "#cdf84a";
const MUTED = "#a1b2a7";
const PANEL = 580;
const PADDING = 52;

/** The preview of a game's link, 1200 × 630: time on the left, venue on the right. */
export function gamePicture(game: GameDetails, { env, now }: Pick<App, "env" | "now">): Picture {
  const text = toSocialText(game, now());
  const { brandName } = env;
  const { photoUrl } = text;
  return {
    width: 1200,
    height: 630,
    facts: ["game", DESIGN, text, brandName],
    isGround: true,
    ...(photoUrl && { file: () => readOwnPicture(openFiles(env), photoUrl) }),
    draw: async (photo) => {
      const texts = [brandName, text.venue, text.city].map(drawableText);
      const [brand = "", venue = "", city = ""] = await Promise.all(texts);
      return <Drawing text={{ ...text, venue, city }} brand={brand} hasPhoto={photo !== null} />;
    },
  };
}

type DrawingProps = { text: SocialText; brand: string; hasPhoto: boolean };

function Drawing({ text, brand, hasPhoto }: DrawingProps) {
  return (
    <div style={{ display: "flex", width: "100%", height: "100%", color: CHALK }}>
      <Lines hasPhoto={hasPhoto} />
      <div style={{ ...COLUMN, left: PADDING, top: 50, width: PANEL - 2 * PADDING }}>
        <div style={{ ...WIDE, fontSize: 26, color: MUTED }}>{brand}</div>
        <div style={{ ...WIDE, fontSize: 34, color: LIME, marginTop: 48 }}>
          {`${text.weekday} · ${text.day}`}
        </div>
        <div style={{ display: "flex", alignItems: "flex-end", marginTop: 4, marginLeft: -6 }}>
          <div style={{ fontSize: 128, fontWeight: 800, lineHeight: 1 }}>{text.start}</div>
          <div style={{ ...END_TIME, color: MUTED }}>{`–${text.end}`}</div>
        </div>
        <div
          style={{ ...CLAMPED, fontSize: venueSize(text.venue), fontWeight: 800, marginTop: 26 }}
        >
          {text.venue}
        </div>
        <div style={{ ...CLAMPED, lineClamp: 1, fontSize: 32, color: MUTED, marginTop: 8 }}>
          {text.city}
        </div>
      </div>
      <Badge {...text.badge} />
    </div>
  );
}

/** Draws a pitch corner; without a photo, a centre circle beside it. */
function Lines({ hasPhoto }: { hasPhoto: boolean }) {
  return (
    <svg
      width="1200"
      height="630"
      viewBox="0 0 1200 630"
      fill="none"
      style={{ position: "absolute", left: 0, top: 0 }}
    >
      {!hasPhoto && <path d="M0 0h1200v630H0z" fill="#0d1c14" />}
      <path d={`M0 0h${PANEL}v630H0z`} fill={NIGHT} />
      <g stroke={CHALK} strokeOpacity="0.24" strokeWidth="3">
        <path d={`M26 0v604h${PANEL - 26}M26 514a90 90 0 0 1 90 90`} />
        {!hasPhoto && <path d="M890 0v630M710 315a180 180 0 0 1 360 0a180 180 0 0 1-360 0" />}
      </g>
      <path d={`M${PANEL} 0v630`} stroke={LIME} strokeWidth="6" />
    </svg>
  );
}

function Badge({ text, tone }: SocialText["badge"]) {
  return (
    <div
      style={{
        position: "absolute",
        left: PANEL + 36,
        bottom: 36,
        display: "flex",
        alignItems: "center",
        padding: "14px 30px",
        borderRadius: 60,
        background: NIGHT,
        fontSize: 40,
        fontWeight: 800,
      }}
    >
      <div
        style={{
          width: 22,
          height: 22,
          borderRadius: 22,
          marginRight: 18,
          background: TONES[tone],
        }}
      />
      {text}
    </div>
  );
}

const TONES = { green: "#84dfa4", red: "#ff9f94", grey: MUTED };
const COLUMN: CSSProperties = { position: "absolute", display: "flex", flexDirection: "column" };
const END_TIME: CSSProperties = {
  fontSize: 38,
  marginLeft: 14,
  marginBottom: 14,
  whiteSpace: "nowrap",
};
const WIDE: CSSProperties = { fontWeight: 500, textTransform: "uppercase", letterSpacing: 1.5 };
const CLAMPED: CSSProperties = {
  display: "block",
  lineClamp: 2,
  lineHeight: 1.1,
  wordBreak: "break-word",
  width: PANEL - 2 * PADDING,
};

function venueSize(venue: string): number {
  return venue.length > 22 ? 38 : 48;
}

/** Names no players. */
export function toSocialText(game: GameDetails, now: Date) {
  const spots = spotsLeft(game.maxPlayers, game.joinedCount, game.heldCount);
  return {
    weekday: upperWeekday(game.date),
    day: monthDay(game.date),
    start: clockTime(game.startTime),
    end: clockTime(game.endTime),
    venue: game.venue.name,
    city: game.venue.city,
    photoUrl: game.venue.photoUrls[0] ?? null,
    badge: badgeOf(game, spots, now),
  };
}

type SocialText = ReturnType<typeof toSocialText>;

function badgeOf(game: GameDetails, spots: number, now: Date) {
  if (game.status === "Cancelled") return { text: "Cancelled", tone: "red" as const };
  if (game.status === "Completed" || isOver(game, now)) {
    return { text: "Full time", tone: "grey" as const };
  }
  if (hasStarted(game, now)) return { text: "Already started", tone: "grey" as const };
  return { text: spotsText(spots), tone: spotsTone(spots) };
}
