type StatsProps = {
  title: string;
  stats: { joined: number; created: number };
  /** As on the player card; null until a result is recorded. */
  results?: { wins: number | null; goals: number | null };
};

/** How much somebody has played and organised. */
export function Stats({ title, stats, results }: StatsProps) {
  return (
    <section aria-labelledby="stats" className="grid gap-3">
      <h2 id="stats" className="text-lg">
        {title}
      </h2>
      <dl className="grid grid-cols-2 gap-3">
        <Stat name="Events joined" value={stats.joined} />
        <Stat name="Events created" value={stats.created} />
        {results && (
          <>
            <Stat name="Total wins" value={results.wins ?? "-"} />
            <Stat name="Total goals" value={results.goals ?? "-"} />
          </>
        )}
      </dl>
    </section>
  );
}

function Stat({ name, value }: { name: string; value: number | string }) {
  return (
    <div className="flex flex-col-reverse rounded-card bg-surface p-4 shadow-card">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="text-2xl font-extrabold tabular-nums">{value}</dd>
    </div>
  );
}
