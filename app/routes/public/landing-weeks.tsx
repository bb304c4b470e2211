const WEEKS = [
  {
    words:
      "Lectures on Monday, futsal on Tuesday. I look at the list over lunch and play the same evening.",
    role: "Bachelor student, Espoo",
  },
  {
    words:
      "New in town, no team, only boots. Thursday at the cage is how I meet people from other courses.",
    role: "Exchange student, Helsinki",
  },
  {
    words:
      "The thesis eats my evenings, so I take one spot on Saturday. The pitch is booked; I only turn up.",
    role: "Master's student, Vantaa",
  },
];

/** Three testimonials: examples by role, and said to be that. */
export function Weeks() {
  return (
    <section aria-labelledby="weeks" className="mx-auto max-w-6xl px-4 py-8">
      <h2 id="weeks" className="text-xl">
        What a week looks like
      </h2>
      <p className="mt-1 text-muted">Three examples of ours, not reviews.</p>
      <div className="mt-4 grid gap-4 md:grid-cols-3">
        {WEEKS.map(({ words, role }) => (
          <figure
            key={role}
            className="grid content-between gap-4 rounded-card bg-surface p-5 shadow-card"
          >
            <blockquote className="text-lg">
              <p>“{words}”</p>
            </blockquote>
            <figcaption className="text-sm font-semibold text-muted">{role}</figcaption>
          </figure>
        ))}
      </div>
    </section>
  );
}
