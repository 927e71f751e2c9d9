/** The name by which this command was started: a link named `codex` makes it stand in for Codex. */
export const programName: "codex" | "quire" = [process.argv0, process.argv[1] ?? ""].some((path) =>
  // The launcher begins at `codex.ts`; a single executable sees the link itself.
  /(^|[\\/])codex(\.ts|\.exe)?$/.test(path),
)
  ? "codex"
  : "quire";
