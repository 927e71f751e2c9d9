import type { Planting } from "./planted.ts";

/** Makes a repository with one commit and a file that has changed since. */
export function repository({ git, put }: Planting, folder: string): void {
  git(folder, "init", "-q");
  put(`workspace/${folder}/file`, "one\n");
  git(folder, "add", "file");
  git(folder, "commit", "-q", "-m", "one");
  put(`workspace/${folder}/file`, "two\n");
}

/** Gives the repository in `sub` one setting, with the path of a program that steals for `evil`. */
export const setting =
  (key: string, value = "evil") =>
  ({ git, put, steal }: Planting) => {
    const evil = put("workspace/evil.sh", `#!/bin/sh\n${steal}\n`);
    git("sub", "config", key, value.replace("evil", evil));
  };
