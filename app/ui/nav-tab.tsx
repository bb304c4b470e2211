import { type ComponentProps, useContext } from "react";
import { preloadModule } from "react-dom";
import { Link, UNSAFE_FrameworkContext } from "react-router";

type NavTabProps = Omit<ComponentProps<typeof Link>, "onPointerEnter" | "onFocus"> & {
  /** The page is open or on its way (`useNextPath`). */
  isActive: boolean;
  /** The page's module: its scripts are fetched as soon as the tab is touched. */
  page?: string;
};

export function NavTab({ isActive, page, ...link }: NavTabProps) {
  const fetchScripts = usePreload(page);
  return (
    <Link
      {...link}
      aria-current={isActive ? "page" : undefined}
      onPointerEnter={fetchScripts}
      onFocus={fetchScripts}
    />
  );
}

// Fetches all at once: the router asks for a page's script and only then for its imports. The
// router's own prefetching would also fetch the page's data, which must not be kept.
function usePreload(page: string | undefined) {
  const routes = useContext(UNSAFE_FrameworkContext)?.manifest.routes;
  return () => {
    // Browsers may remember a failed file.
    if (!navigator.onLine) return;
    for (let route = routes?.[page ?? ""]; route; route = routes?.[route.parentId ?? ""]) {
      for (const file of [route.module, ...(route.imports ?? [])]) preloadModule(file);
    }
  };
}
