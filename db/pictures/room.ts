import type { Vec } from "./projection.ts";
import { everywhere, panel, type Group, type Paint } from "./shapes.ts";

/** An empty hall around the origin, seen from inside; sizes in metres. */
export function room(
  size: { halfX: number; halfY: number; tall: number },
  paints: { floor: Paint; ceiling: Paint; side: Paint; end: Paint },
): Group {
  const { halfX, halfY, tall } = size;
  const across: Vec = [halfX * 2, 0, 0];
  const along: Vec = [0, halfY * 2, 0];
  const up: Vec = [0, 0, tall];
  return everywhere(
    panel([-halfX, -halfY, 0], across, along, paints.floor, false),
    panel([-halfX, -halfY, tall], across, along, paints.ceiling, false),
    panel([-halfX, halfY, 0], across, up, paints.end, false),
    panel([-halfX, -halfY, 0], across, up, paints.end, false),
    panel([-halfX, -halfY, 0], along, up, paints.side, false),
    panel([halfX, -halfY, 0], along, up, paints.side, false),
  );
}
