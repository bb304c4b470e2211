import { ButtonLink } from "#app/ui/button.tsx";

interface ScopeTabsProps {
  path: string;
  withFollowing: boolean;
}

export function ScopeTabs({ path, withFollowing }: ScopeTabsProps) {
  const tab = (isHere: boolean) => ({
    "aria-current": isHere ? ("page" as const) : undefined,
    className: isHere ? "border-ink! bg-ink! text-canvas!" : "",
  });
  return (
    <nav aria-label="Which games" className="flex flex-wrap gap-3">
      <ButtonLink to={path} replace {...tab(!withFollowing)}>
        Only this game
      </ButtonLink>
      <ButtonLink to={`${path}?scope=following`} replace {...tab(withFollowing)}>
        This and following games
      </ButtonLink>
    </nav>
  );
}
