/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that a program needs to start. */
const needed = ["PATH", "LANG", "LC_ALL", "TZ", "TERM", "SHELL", "USER", "LOGNAME", "TMPDIR", "TEMP", "TMP"];
const onWindows = ["SystemRoot", "SystemDrive", "ComSpec", "PATHEXT", "APPDATA", "LOCALAPPDATA"];
/** The model's own keys and settings. */
const forModel = /^(?:OPENAI|CODEX)_/;

/** The variables that a server needs, and none of the others: secrets of clouds and services stay out. */
export function hermeticEnv(env: Environment): Environment {
  const isWanted = (name: string) => needed.includes(name) || onWindows.includes(name) || forModel.test(name);
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => value !== undefined && isWanted(name)));
}
