// Not of the whole protocol, which a server need not load to start.
export { quireVersion } from "@quire/protocol/version";

/** The version of Codex whose protocol this server speaks. */
export const codexVersion = "0.166.0";
