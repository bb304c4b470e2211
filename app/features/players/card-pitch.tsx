const NIGHT = "#08110c";
const CHALK = "#f5faf1";
const LIME = "#cdf84a";
const EDGE = 40;
const QUARTER = 36;
const STRIPES = 10;
const LAMPS_AT = 84;

/** The picture to share, and the link's preview. */
export const UPRIGHT = { width: 1080, height: 1350, spot: { x: 540, y: 430, radius: 272 } };
export const LANDSCAPE = { width: 1200, height: 630, spot: { x: 290, y: 330, radius: 190 } };

type Spot = typeof UPRIGHT.spot;

type CardPitchProps = {
  width: number;
  height: number;
  spot: Spot;
  lies?: boolean | undefined;
  className?: string | undefined;
};

// A pitch at night from above, under two banks of floodlights. Uses attributes only, so that a page
// and a drawing on the server look the same.
export function CardPitch({ width, height, spot, lies, className }: CardPitchProps) {
  const { x, y, radius } = spot;
  const box = { width, height, viewBox: `0 0 ${width} ${height}`, fill: "none" };
  const lamps = [EDGE + 110, width - EDGE - 110];
  return (
    <svg aria-hidden {...box} {...(className && { className })}>
      <Lights spot={spot} />
      <path d={`M0 0h${width}v${height}H0z`} fill="url(#pitch-grass)" />
      <path d={stripes(width, height, lies)} fill={CHALK} fillOpacity="0.03" />
      <circle cx={x} cy={y} r={radius * POOL} fill="url(#pitch-pool)" />
      {lamps.map((lamp) => (
        <Beam key={lamp} lamp={lamp} spot={spot} />
      ))}
      <g stroke={CHALK} strokeOpacity="0.34" strokeWidth="3">
        <path d={touchlines(width - EDGE, height - EDGE)} />
        <path d={lies ? `M${x} ${EDGE}V${height - EDGE}` : `M${EDGE} ${y}H${width - EDGE}`} />
        <circle cx={x} cy={y} r={radius + 34} />
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

function Lights({ spot: { x, y, radius } }: { spot: Spot }) {
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
      <radialGradient
        id="pitch-pool"
        gradientUnits="userSpaceOnUse"
        cx={x}
        cy={y}
        r={radius * POOL}
      >
        <stop offset="0.3" stopColor="#7bd65f" stopOpacity="0.4" />
        <stop offset="1" stopColor="#7bd65f" stopOpacity="0" />
      </radialGradient>
      <radialGradient id="pitch-beam" fx="0.02">
        <stop offset="0" stopColor={CHALK} stopOpacity="0.42" />
        <stop offset="0.3" stopColor={CHALK} stopOpacity="0.18" />
        <stop offset="0.65" stopColor={CHALK} stopOpacity="0.06" />
        <stop offset="1" stopColor={CHALK} stopOpacity="0" />
      </radialGradient>
      <radialGradient id="pitch-halo">
        <stop offset="0" stopColor={CHALK} stopOpacity="0.7" />
        <stop offset="0.3" stopColor={CHALK} stopOpacity="0.22" />
        <stop offset="1" stopColor={CHALK} stopOpacity="0" />
      </radialGradient>
    </defs>
  );
}

/** Light of a bank of lamps; its gradient ends at the ellipse, so that no edge shows. */
function Beam({ lamp, spot }: { lamp: number; spot: Spot }) {
  const [dx, dy] = [spot.x - lamp, spot.y - LAMPS_AT];
  const distance = Math.hypot(dx, dy);
  const reach = distance + spot.radius * 1.6;
  const turn = Math.round((Math.atan2(dy, dx) * 180) / Math.PI);
  return (
    <ellipse
      cx={Math.round(reach / 2)}
      rx={Math.round(reach / 2)}
      ry={Math.round(spot.radius * 1.1)}
      transform={`translate(${lamp} ${LAMPS_AT}) rotate(${turn})`}
      fill="url(#pitch-beam)"
    />
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

const RIM = 8;
const ROUND = 32;

function rim(right: number, bottom: number): string {
  const [across, down] = [right - RIM - 2 * ROUND, bottom - RIM - 2 * ROUND];
  const turn = (x: number, y: number) => `a${ROUND} ${ROUND} 0 0 1 ${x * ROUND} ${y * ROUND}`;
  return `M${RIM + ROUND} ${RIM}h${across}${turn(1, 1)}v${down}${turn(-1, 1)}h${-across}${turn(-1, -1)}v${-down}${turn(1, -1)}z`;
}

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

const LAMPS = [-42, -14, 14, 42].flatMap((x) => [-14, 14].map((y) => ({ x, y })));

function Floodlights({ x, turn }: { x: number; turn: number }) {
  return (
    <g transform={`translate(${x} ${LAMPS_AT}) rotate(${turn})`}>
      <ellipse rx="190" ry="150" fill="url(#pitch-halo)" />
      {LAMPS.map((lamp) => (
        <circle key={`${lamp.x} ${lamp.y}`} cx={lamp.x} cy={lamp.y} r="9" fill={CHALK} />
      ))}
    </g>
  );
}
