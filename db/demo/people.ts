/** The password of every demo account. */
export const DEMO_PASSWORD = "Kickabout1";

interface Person {
  key: string;
  firstName: string;
  lastName: string;
}

/** "admin", "player" and "broke" are the ones to sign in with; the others fill the games. */
export const CAST: Person[] = [
  { key: "admin", firstName: "Saga", lastName: "Lindqvist" },
  { key: "player", firstName: "Eero", lastName: "Mäkelä" },
  { key: "broke", firstName: "Noel", lastName: "Berg" },
];

const FIRST_NAMES =
  "Aino Onni Sofia Leo Helmi Elias Venla Oliver Lilja Väinö Amira Daniel Ingrid Mateo Yara Kasper " +
  "Freja Arttu Nadia Tuomas Lumi Jonas Iida Sami Priya Otso Ella Hugo Malin Ilmari";
const LAST_NAMES =
  "Virtanen Korhonen Nyman Laine Heikkinen Koskinen Salo Öberg Rantanen Hakala Hassan Lehto " +
  "Sandström García Haddad Toivonen Holm Niemi Petrova Aho Kallio Ek Manninen Rahimi Sharma Harju " +
  "Saarinen Wikström Dahl Karjalainen";

const lastNames = LAST_NAMES.split(" ");
export const OTHERS: Person[] = FIRST_NAMES.split(" ").map((firstName, index) => ({
  key: `${firstName}.${lastNames[index]}`
    .toLowerCase()
    .normalize("NFD")
    .replace(/[^a-z.]/g, ""),
  firstName,
  lastName: lastNames[index] ?? "",
}));

export const emailOf = ({ key }: Pick<Person, "key">) => `${key}@uni.example`;
