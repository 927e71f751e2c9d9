/** Short, distinct, and nobody's name. */
const nicknames = [
  "Alder",
  "Aspen",
  "Bay",
  "Birch",
  "Briar",
  "Cedar",
  "Clover",
  "Cypress",
  "Elder",
  "Elm",
  "Fern",
  "Fir",
  "Flax",
  "Hazel",
  "Heath",
  "Holly",
  "Iris",
  "Ivy",
  "Juniper",
  "Larch",
  "Laurel",
  "Linden",
  "Maple",
  "Moss",
  "Myrtle",
  "Oak",
  "Olive",
  "Pine",
  "Quince",
  "Reed",
  "Rowan",
  "Sage",
  "Sedge",
  "Sorrel",
  "Spruce",
  "Tansy",
  "Thistle",
  "Thyme",
  "Willow",
  "Yarrow",
];

/** A nickname that none of the others has; with a number once all are taken. */
export function freeNickname(taken: ReadonlySet<string>): string {
  for (let round = 1; ; round++) {
    const free = nicknames.map((name) => (round === 1 ? name : `${name} ${round}`)).filter((name) => !taken.has(name));
    const name = free[Math.floor(Math.random() * free.length)];
    if (name !== undefined) return name;
  }
}
