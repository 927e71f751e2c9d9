import { programName } from "../args/program-name.ts";

const terminalUi = [
  `Quire has no terminal UI. Use one of these instead:`,
  "",
  "  quire up                              the page in your browser",
  `  ${programName} exec "PROMPT"                   one turn in this terminal`,
  "  quire app-server daemon start         a server, then Codex's own UI on it:",
  "  codex --remote unix://                (the codex of npm install -g @openai/codex)",
].join("\n");

const reasons: ReadonlyMap<string, string> = new Map(
  Object.entries({
    archive: "`archive` is not part of Quire: `quire up` archives, restores and deletes threads.",
    unarchive: "`unarchive` is not part of Quire: `quire up` archives, restores and deletes threads.",
    delete: "`delete` is not part of Quire: `quire up` archives, restores and deletes threads.",
    cloud: "`cloud` is a service of OpenAI's. `quire up` shows threads of this machine.",
    update: "Quire does not update itself: npm install -g @quire/cli",
  }),
);

/** Says why a command of Codex's is not here, and what is in its place. Returns the exit code. */
export function refuse(name: string | undefined): number {
  process.stderr.write(`Error: ${reasons.get(name ?? "") ?? terminalUi}\n`);
  return 1;
}

/** True if a word is a command of Codex's that Quire does not have. */
export function isRefused(name: string): boolean {
  return reasons.has(name) || /^(agents|resume|fork|queue|remote-control|plugin)$/.test(name);
}
