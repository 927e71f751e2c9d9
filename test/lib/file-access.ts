/** Folders of the server that deal with files which a model, a repository or a client may have written. */
const guarded = ["external-agent", "hooks", "patch", "plugins", "prompt", "thread", "tools"];

/** Files in them that open what they open by themselves, and why. New ones use `workspace-files`. */
const exempt: Readonly<Record<string, string>> = {
  "external-agent/import.ts": "writes what the user asked to take over",
  "external-agent/imports-file.ts": "keeps a file in the server's home",
  "external-agent/sessions.ts": "reads another agent's folder in the user's own home",
  "external-agent/source.ts": "lists another agent's folders; their files are read by workspace-files",
  "hooks/find-hooks.ts": "reads hooks of the home and of projects that are trusted by content",
  "hooks/spill.ts": "writes to a new folder of its own",
  "plugins/add-marketplace.ts": "keeps clones in the server's home",
  "plugins/contents.ts": "hashes an installed plugin in the server's home",
  "plugins/git.ts": "removes a clone in the server's home",
  "plugins/install.ts": "keeps plugins in the server's home",
  "plugins/installed.ts": "lists plugins in the server's home",
  "plugins/npm.ts": "unpacks in the server's home",
  "prompt/environment-context.ts": "reads the system's time zone",
};

const opens = /(?:from|import\(?|require\()\s*["'](?:node:)?fs(?:\/promises)?["']|\bBun\.(?:file|write)\b/;

/** Sources, by path below the server's `src`, that open files past `workspace-files`, and exemptions that are not needed. */
export function fileAccessViolations(files: ReadonlyMap<string, string>): string[] {
  const own = [...files].filter(([path]) => guarded.includes(path.split("/")[0] ?? ""));
  const found = own.filter(([, text]) => opens.test(text.replace(/^import type .*$/gm, ""))).map(([path]) => path);
  return [
    ...found
      .filter((path) => !Object.hasOwn(exempt, path))
      .map((path) => `${path} opens files by itself: use workspace-files, which follows no link out of its root`),
    ...Object.keys(exempt)
      .filter((path) => files.has(path) && !found.includes(path))
      .map((path) => `${path} needs no exemption any more: remove it from test/lib/file-access.ts`),
  ];
}
