/** Versions alone, for programs that need not load the protocol to say them. */
export { codexVersion } from "./generated/codex-version.ts";
export { quireVersion } from "./lib/quire-version.ts";
