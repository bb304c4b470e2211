export interface Person {
  userId: string;
  firstName: string;
  lastName: string;
}

/** Longer names for those who share a first name: with the last one's initial, or all of it. */
export function longNames(people: Person[]): Record<string, string> {
  const keyed = people.map((person) => {
    const [initial] = person.lastName;
    const short = initial ? `${person.firstName} ${initial}.` : person.firstName;
    return { ...person, short, first: nameKey(person.firstName), key: nameKey(short) };
  });
  const first = countBy(keyed.map((each) => each.first));
  const withInitial = countBy(keyed.map(({ key }) => key));
  const shared = keyed.filter((each) => first.get(each.first)! > 1);
  return Object.fromEntries(
    shared.map(({ userId, firstName, lastName, short, key }) => [
      userId,
      withInitial.get(key)! > 1 ? `${firstName} ${lastName}`.trim() : short,
    ]),
  );
}

interface Named {
  authorId: string | null;
  name: string;
}

/** The author's long name, if another one here shares the first. */
export const nameOf = ({ authorId, name }: Named, { names }: { names: Record<string, string> }) =>
  (authorId && names[authorId]) || name;

const nameKey = (name: string) => name.normalize("NFC").toLowerCase();

function countBy(keys: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
