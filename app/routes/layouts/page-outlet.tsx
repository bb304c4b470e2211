import { useEffect, useState } from "react";
import { Outlet, useLocation, useNavigation } from "react-router";
import { GamesSkeleton } from "#app/routes/games/games-skeleton.tsx";

const SOON_MS = 150;

/**
 * The page; on a way to the games that takes a moment, their skeleton. Another selection of them
 * keeps the page, and with it the button that has the focus.
 */
export function PageOutlet() {
  const navigation = useNavigation();
  const { pathname } = useLocation();
  const to = navigation.state === "loading" ? navigation.location.pathname : pathname;
  const isOnTheWay = to === "/events" && pathname !== to;
  const takesAMoment = useLasting(isOnTheWay);
  return takesAMoment ? <GamesSkeleton /> : <Outlet />;
}

/** True once `isTrue` has lasted long enough to be worth showing. */
function useLasting(isTrue: boolean): boolean {
  const [lasts, setLasts] = useState(false);
  useEffect(() => {
    if (!isTrue) return;
    const timer = setTimeout(() => setLasts(true), SOON_MS);
    return () => {
      clearTimeout(timer);
      setLasts(false);
    };
  }, [isTrue]);
  return isTrue && lasts;
}
