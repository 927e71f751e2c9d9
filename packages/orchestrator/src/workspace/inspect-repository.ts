import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { withoutCredentials } from "../lib/secrets.ts";
import { userGit } from "./safe-git.ts";

/** A repository that agents are to work on. */
export interface RepositoryFacts {
  /** `checkout`: a folder with a working copy, whose worktrees are used. `remote`: something to clone. */
  readonly kind: "checkout" | "remote";
  /** Absolute path, or address. */
  readonly location: string;
  /** Path or address that branches are pushed to. */
  readonly remote: string;
  /** Branch that changes are merged into. */
  readonly base: string;
  /** Place of pull requests, and the repository's name there; null for none. */
  readonly forge: { readonly kind: "github" | "gitlab"; readonly name: string } | null;
}

/** Looks at a repository by its path or address. Throws with a remedy where it cannot be used. */
export async function inspectRepository(given: string, cwd: string): Promise<RepositoryFacts> {
  const isAddress = /^[a-z+]+:\/\/|^[\w.-]+@[\w.-]+:/i.test(given);
  const home = given === "~" || given.startsWith("~/") ? join(homedir(), given.slice(1)) : given;
  const location = isAddress ? given : resolve(cwd, home);
  const isCheckout = !isAddress && existsSync(join(location, ".git"));
  const git = (...args: string[]) => userGit(isAddress ? cwd : location, args, "/dev/null");
  const origin = isCheckout ? (await git("remote", "get-url", "origin").catch(() => "")).trim() : location;
  if (origin === "") throw new Error(`${location} has no remote "origin": add one, or name a bare repository`);
  if (withoutCredentials(origin) !== origin) throw new Error("The repository's address holds credentials: remove them");
  const remote = isCheckout && !/^[a-z+]+:\/\/|^[\w.-]+@[\w.-]+:/i.test(origin) ? resolve(location, origin) : origin;
  const listed = await userGit(cwd, ["ls-remote", "--symref", "--", remote, "HEAD"], "/dev/null").catch(
    (cause: unknown) => {
      throw new Error(`${remote} cannot be read (${(cause as Error).message}): check the path or address`, { cause });
    },
  );
  const base = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(listed)?.[1];
  if (base === undefined) throw new Error(`${remote} has no commit on its main branch: push a first one`);
  return { kind: isCheckout ? "checkout" : "remote", location, remote, base, forge: forgeOf(remote) };
}

function forgeOf(remote: string): RepositoryFacts["forge"] {
  const [, host, name] =
    /^(?:https:\/\/|ssh:\/\/git@|git@)(github\.com|gitlab\.com)[:/](.+?)(?:\.git)?\/?$/.exec(remote) ?? [];
  if (host === undefined || name === undefined) return null;
  return { kind: host === "github.com" ? "github" : "gitlab", name };
}
