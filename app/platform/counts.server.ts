export function createCounts() {
  const counts = new Map<string, number>();
  const of = (name: string) => counts.get(name) ?? 0;
  let total = 0;
  return {
    of,
    total: () => total,
    add(name: string, number: 1 | -1) {
      total += number;
      counts.set(name, of(name) + number);
      if (of(name) === 0) counts.delete(name);
    },
  };
}
