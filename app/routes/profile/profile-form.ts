/** The fields of the profile dialog as posted; a file or a field that is missing counts as empty. */
export function profileForm(form: FormData) {
  const text = (name: string) => {
    const value = form.get(name);
    return typeof value === "string" ? value : "";
  };
  return {
    firstName: text("firstName"),
    lastName: text("lastName"),
    dateOfBirth: text("dateOfBirth"),
    position: text("position"),
    nationalityCode: text("nationalityCode"),
    isDownToPlay: text("isDownToPlay"),
    sports: form.getAll("sports").filter((sport) => typeof sport === "string"),
    otherSport: text("otherSport"),
  };
}
