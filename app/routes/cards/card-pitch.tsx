const GRASS = "#0a1610";
const MOWN = "#0d1c14";
const NIGHT = "#08110c";
const CHALK = "#f5faf1";
const LIME = "#cdf84a";
const EDGE = 40;
const QUARTER = 36;
const STRIPES = 10;

interface Spot {
  x: number;
  y: number;
  radius: number;
}

type CardPitchProps = {
  width: number;
  height: number;
  /** The circle that the portrait stands in. */
  spot: Spot;
  /** Upright it shows the penalty area, where the figures stand; lying the line runs downwards. */
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
      <path d={`M0 0h${width}v${height}H0z`} fill={GRASS} />
      <path d={stripes(width, height, lies)} fill={MOWN} />
      <g fill={CHALK} opacity="0.08">
        {lamps.map((lamp) => (
          <path key={lamp} d={beam(lamp, spot)} />
        ))}
        <circle cx={x} cy={y} r={radius + GLOW} />
      </g>
      <g stroke={CHALK} strokeOpacity="0.3" strokeWidth="3">
        <path d={touchlines(width - EDGE, height - EDGE)} />
        <path d={lies ? `M${x} ${EDGE}V${height - EDGE}` : `M${EDGE} ${y}H${width - EDGE}`} />
        {!lies && <path d={penaltyArea(width / 2, height - EDGE)} />}
      </g>
      {lamps.map((lamp) => (
        <Floodlights key={lamp} x={lamp} turn={lamp < width / 2 ? -12 : 12} />
      ))}
      <circle cx={x} cy={y} r={radius} fill={NIGHT} stroke={LIME} strokeWidth="14" />
    </svg>
  );
}

const GLOW = 60;
const LAMPS_AT = 84;

function stripes(width: number, height: number, lies: boolean | undefined): string {
  const across = lies ? width : height;
  const band = across / STRIPES;
  const starts = Array.from({ length: STRIPES / 2 }, (_, n) => Math.round(n * 2 * band));
  const draw = (at: number) =>
    lies ? `M${at} 0h${band}v${height}h-${band}z` : `M0 ${at}h${width}v${band}H0z`;
  return starts.map(draw).join("");
}

/** From a bank of lamps to both sides of the lit circle, where the light just touches it. */
function beam(lamp: number, { x, y, radius }: Spot): string {
  const [dx, dy, lit] = [lamp - x, LAMPS_AT - y, radius + GLOW];
  const away = Math.atan2(dy, dx);
  const half = Math.acos(Math.min(1, lit / Math.hypot(dx, dy)));
  const [one, other] = [away - half, away + half].map(
    (angle) => `${Math.round(x + lit * Math.cos(angle))} ${Math.round(y + lit * Math.sin(angle))}`,
  );
  return `M${lamp} ${LAMPS_AT}L${one}L${x} ${y}L${other}z`;
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
      <rect x="-88" y="-24" width="176" height="48" rx="10" fill="#26332c" />
      {LAMPS.map((at) => (
        <circle key={at} cx={at} cy="0" r="14" fill={CHALK} />
      ))}
    </g>
  );
}
