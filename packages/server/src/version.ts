/** The version of Quire. */
export const quireVersion = "0.1.0";

/** The version of Codex whose protocol this server speaks. */
export const codexVersion = "0.166.0";
