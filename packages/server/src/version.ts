export { quireVersion } from "@quire/protocol";

/** The version of Codex whose protocol this server speaks. */
export const codexVersion = "0.166.0";
