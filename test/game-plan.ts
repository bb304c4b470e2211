import type { GamePlan } from "#app/features/games/plan.ts";

/** A plan for an evening in December 2026. */
export function aPlan(venueId: string, wish: Partial<GamePlan> = {}): GamePlan {
  return {
    title: "Indoor futsal",
    description: "",
    sport: "Futsal",
    date: "2026-12-02",
    startTime: "19:00",
    endTime: "20:30",
    venueId,
    maxPlayers: 10,
    gameFormat: "5v5",
    isOutdoor: false,
    priceCents: 1_000,
    isFirstSessionFree: false,
    ...wish,
  };
}
