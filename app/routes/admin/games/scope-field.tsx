import { Chip } from "#app/ui/chip.tsx";

/** Which games of a series an edit is meant for. */
export function ScopeField({ scope = "one" }: { scope: string | undefined }) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 font-semibold">Which games</legend>
      <div className="flex flex-wrap gap-3">
        <Chip type="radio" name="scope" value="one" defaultChecked={scope !== "following"}>
          Only this game
        </Chip>
        <Chip type="radio" name="scope" value="following" defaultChecked={scope === "following"}>
          This and following games
        </Chip>
      </div>
      <p className="text-sm text-muted">
        The following games take only what you change here; their times shift by as much.
      </p>
    </fieldset>
  );
}
