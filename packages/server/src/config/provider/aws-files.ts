import { join } from "node:path";
import { readTextIfAny } from "../../workspace-files/read-file.ts";
import { anywhere } from "../../workspace-files/root.ts";

/** Longest file that is read. */
const maxBytes = 1 << 20;

type Env = Readonly<Record<string, string | undefined>>;

/** A profile in AWS's own files. The credentials file wins over the config file. */
export function awsProfile(env: Env, profile: string): Readonly<Record<string, string>> {
  const folder = join(env.HOME ?? "/", ".aws");
  const config = env.AWS_CONFIG_FILE ?? join(folder, "config");
  const credentials = env.AWS_SHARED_CREDENTIALS_FILE ?? join(folder, "credentials");
  return { ...section(config, profile), ...section(credentials, profile) };
}

function section(path: string, profile: string): Record<string, string> {
  const found: Record<string, string> = {};
  let isMeant = false;
  for (const line of awsLines(path)) {
    const header = /^\[(?:profile\s+)?([^\]]+)\]$/.exec(line)?.[1]?.trim();
    if (header !== undefined) isMeant = header === profile;
    const [, key = "", value = ""] = /^([^=#;]+?)\s*=\s*(.*)$/.exec(line) ?? [];
    if (isMeant && header === undefined && key !== "") found[key] = value;
  }
  return found;
}

/** The lines of one of the files that AWS tools share, without blanks around them; none where there is no file. */
export function awsLines(path: string): string[] {
  // Their folder may be part of the work: no pipe there keeps the server waiting.
  const text = readTextIfAny(path, { ...anywhere(path), maxBytes });
  return text?.split("\n").map((line) => line.trim()) ?? [];
}
