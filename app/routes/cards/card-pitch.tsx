const NIGHT = "#08110c";
const CHALK = "#f5faf1";
const LIME = "#cdf84a";
const EDGE = 40;
const QUARTER = 36;
const STRIPES = 10;
const LAMPS_AT = 84;

/** Of the picture to share, and of the link's preview. */
export const UPRIGHT = { width: 1080, height: 1350, spot: { x: 540, y: 446, radius: 262 } };
export const LYING = { width: 1200, height: 630, spot: { x: 290, y: 330, radius: 190 } };

type Spot = typeof UPRIGHT.spot;

type CardPitchProps = {
  width: number;
  height: number;
  spot: Spot;
  /** Portrait shows the penalty area behind the totals; in landscape the line is vertical. */
  lies?: boolean | undefined;
  className?: string | undefined;
};

/**
 * A pitch at night, seen from above, under two banks of floodlights. Attributes alone, so that a
 * page and a drawing on the server show the same.
 */
export function CardPitch({ width, height, spot, lies, className }: CardPitchProps) {
  const { x, y, radius } = spot;
  const box = { width, height, viewBox: `0 0 ${width} ${height}`, fill: "none" };
  const lamps = [EDGE + 110, width - EDGE - 110];
  return (
    <svg aria-hidden {...box} {...(className && { className })}>
      <Lights spot={spot} lamps={lamps} />
      <path d={`M0 0h${width}v${height}H0z`} fill="url(#pitch-grass)" />
      <path d={stripes(width, height, lies)} fill={CHALK} fillOpacity="0.03" />
      <circle cx={x} cy={y} r={radius * POOL} fill="url(#pitch-pool)" />
      <g opacity={lies ? 0.5 : 1}>
        {lamps.map((lamp, n) => (
          <path key={lamp} d={beam(lamp, spot)} fill={`url(#pitch-beam-${n})`} />
        ))}
      </g>
      <g stroke={CHALK} strokeOpacity="0.34" strokeWidth="3">
        <path d={touchlines(width - EDGE, height - EDGE)} />
        <path d={lies ? `M${x} ${EDGE}V${height - EDGE}` : `M${EDGE} ${y}H${width - EDGE}`} />
        <circle cx={x} cy={y} r={radius + 34} />
        {!lies && <path d={penaltyArea(width / 2, height - EDGE)} fill={NIGHT} fillOpacity="0.5" />}
      </g>
      {lamps.map((lamp) => (
        <Floodlights key={lamp} x={lamp} turn={lamp < width / 2 ? -12 : 12} />
      ))}
      <circle cx={x} cy={y} r={radius} fill={NIGHT} stroke="url(#pitch-rim)" strokeWidth="14" />
      <path d={rim(width - RIM, height - RIM)} stroke="url(#pitch-rim)" strokeWidth="6" />
    </svg>
  );
}

/** How far the light reaches, in radii of the lit circle. */
const POOL = 2.3;

function Lights({ spot, lamps }: { spot: Spot; lamps: number[] }) {
  const { x, y, radius } = spot;
  const absolute = { gradientUnits: "userSpaceOnUse" };
  return (
    <defs>
      <linearGradient id="pitch-grass" x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stopColor="#10301f" />
        <stop offset="0.55" stopColor="#0a1c12" />
        <stop offset="1" stopColor="#050b08" />
      </linearGradient>
      <linearGradient id="pitch-rim" x1="0" y1="0" x2="1" y2="1">
        <stop offset="0" stopColor="#f3ffc4" />
        <stop offset="0.35" stopColor={LIME} />
        <stop offset="0.7" stopColor="#7fae12" />
        <stop offset="1" stopColor="#e9ff9a" />
      </linearGradient>
      <radialGradient id="pitch-pool" {...absolute} cx={x} cy={y} r={radius * POOL}>
        <stop offset="0.3" stopColor="#7bd65f" stopOpacity="0.42" />
        <stop offset="1" stopColor="#7bd65f" stopOpacity="0" />
      </radialGradient>
      <radialGradient id="pitch-halo">
        <stop offset="0" stopColor={CHALK} stopOpacity="0.75" />
        <stop offset="0.3" stopColor={CHALK} stopOpacity="0.25" />
        <stop offset="1" stopColor={CHALK} stopOpacity="0" />
      </radialGradient>
      {lamps.map((lamp, n) => {
        const place = { cx: lamp, cy: LAMPS_AT, r: Math.round(reach(lamp, spot)) };
        return (
          <radialGradient key={lamp} id={`pitch-beam-${n}`} {...absolute} {...place}>
            <stop offset="0" stopColor={CHALK} stopOpacity="0.5" />
            <stop offset="0.35" stopColor={CHALK} stopOpacity="0.16" />
            <stop offset="1" stopColor={CHALK} stopOpacity="0" />
          </radialGradient>
        );
      })}
    </defs>
  );
}

function stripes(width: number, height: number, lies: boolean | undefined): string {
  const across = lies ? width : height;
  const band = across / STRIPES;
  const starts = Array.from({ length: STRIPES / 2 }, (_, n) => Math.round(n * 2 * band));
  const draw = (at: number) =>
    lies ? `M${at} 0h${band}v${height}h-${band}z` : `M0 ${at}h${width}v${band}H0z`;
  return starts.map(draw).join("");
}

/** The cone from a bank of lamps past both sides of the lit circle. */
function beam(lamp: number, spot: Spot): string {
  const [dx, dy] = [spot.x - lamp, spot.y - LAMPS_AT];
  const towards = Math.atan2(dy, dx);
  const half = Math.asin(Math.min(0.9, spot.radius / Math.hypot(dx, dy)));
  const far = reach(lamp, spot);
  const [one, other] = [towards - half, towards + half].map(
    (angle) =>
      `${Math.round(lamp + far * Math.cos(angle))} ${Math.round(LAMPS_AT + far * Math.sin(angle))}`,
  );
  return `M${lamp} ${LAMPS_AT}L${one}L${other}z`;
}

function reach(lamp: number, { x, y, radius }: Spot): number {
  return Math.hypot(x - lamp, y - LAMPS_AT) + radius * 1.8;
}

const RIM = 8;
const ROUND = 32;

function rim(right: number, bottom: number): string {
  const [across, down] = [right - RIM - 2 * ROUND, bottom - RIM - 2 * ROUND];
  const turn = (x: number, y: number) => `a${ROUND} ${ROUND} 0 0 1 ${x * ROUND} ${y * ROUND}`;
  return `M${RIM + ROUND} ${RIM}h${across}${turn(1, 1)}v${down}${turn(-1, 1)}h${-across}${turn(-1, -1)}v${-down}${turn(1, -1)}z`;
}

/** The border, with the quarter circle of each corner. */
function touchlines(right: number, bottom: number): string {
  const [left, top] = [EDGE, EDGE];
  return [
    `M${left} ${top}H${right}V${bottom}H${left}z`,
    `M${left} ${top + QUARTER}a${QUARTER} ${QUARTER} 0 0 0 ${QUARTER}-${QUARTER}`,
    `M${right} ${top + QUARTER}a${QUARTER} ${QUARTER} 0 0 1-${QUARTER}-${QUARTER}`,
    `M${left} ${bottom - QUARTER}a${QUARTER} ${QUARTER} 0 0 1 ${QUARTER} ${QUARTER}`,
    `M${right} ${bottom - QUARTER}a${QUARTER} ${QUARTER} 0 0 0-${QUARTER} ${QUARTER}`,
  ].join("");
}

function penaltyArea(x: number, goalLine: number): string {
  const top = goalLine - 240;
  return `M${x - 420} ${goalLine}V${top}H${x + 420}V${goalLine}M${x - 110} ${top}a130 130 0 0 1 220 0`;
}

const LAMPS = [-60, -20, 20, 60];

function Floodlights({ x, turn }: { x: number; turn: number }) {
  return (
    <g transform={`translate(${x} ${LAMPS_AT}) rotate(${turn})`}>
      <rect x="-88" y="-24" width="176" height="48" rx="10" fill="#1b2720" />
      <ellipse rx="210" ry="120" fill="url(#pitch-halo)" />
      {LAMPS.map((at) => (
        <circle key={at} cx={at} cy="0" r="14" fill={CHALK} />
      ))}
    </g>
  );
}
