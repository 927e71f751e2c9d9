/** Attacks: repositories that the page shows, commits in and pushes. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "@quire/testkit";
import { attack } from "@quire/testkit/attack";
import { editorHref } from "../../src/files/editors.ts";
import { readPull } from "../../src/git/pull-request.ts";
import { commitFiles, pushBranch, readRepository } from "../../src/git/repository.ts";
import { parseFileName } from "../../src/navigation/file-target.ts";
import type { RunScript } from "../../src/scripts/run-script.ts";
import { type GitPlace, gitPlace } from "./support/git-place.ts";

/** A repository below, as a confined command can make it, which names a program. */
function plantBelow({ git, top, mark }: GitPlace): void {
  git("init", "-q", "below");
  writeFileSync(join(top, "below", "file"), "1\n");
  git("-C", "below", "add", "file");
  git("-C", "below", "commit", "-qm", "Below");
  git("-C", "below", "config", "core.fsmonitor", `touch '${mark}'; false`);
}

attack("runs a program by the configuration of a repository below when changes are shown", async (guarded) => {
  await using at = await gitPlace();
  plantBelow(at);
  if (guarded) await readRepository(at.run, "uncommitted");
  else {
    at.git("add", "-A", "-N", ".");
    at.git("diff", "HEAD");
  }
  return existsSync(at.mark);
});

attack("runs a program by the configuration of a repository below when it is committed", async (guarded) => {
  await using at = await gitPlace();
  plantBelow(at);
  for (const text of ["2\n", "3\n"]) {
    writeFileSync(join(at.top, "file"), text);
    if (guarded) {
      const found = await readRepository(at.run, "uncommitted");
      const picks = (found?.files ?? []).map((file) => ({ file, hunks: "all" as const }));
      await commitFiles(at.run, picks, "More");
    } else {
      at.git("add", "-A");
      at.git("commit", "-qm", "More");
    }
  }
  return existsSync(at.mark);
});

attack("runs a program of the work tree in the place of a tool that looks at it", async (guarded) => {
  await using at = await gitPlace();
  const tools = join(at.top, "node_modules", ".bin");
  mkdirSync(tools, { recursive: true });
  for (const name of ["git", "sed", "cat", "mktemp", "tr", "head", "dirname", "rm", "ln", "cp"]) {
    writeFileSync(join(tools, name), `#!/bin/sh\n: > '${at.mark}'\n`);
    chmodSync(join(tools, name), 0o755);
  }
  const run: RunScript = (script, { env }) => at.run(script, { env: { ...env, PATH: `${tools}:${at.env.PATH}` } });
  await (guarded ? readRepository(run, "uncommitted") : run("sed p", {}));
  return existsSync(at.mark);
});

attack("reaches the settings of the page's git among temporary files, where every command writes", async (guarded) => {
  await using at = await gitPlace();
  const tools = join(at.dir.path, "tools");
  mkdirSync(tools);
  const real = execFileSync("/bin/sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  writeFileSync(join(tools, "git"), `#!/bin/sh\necho "\${GIT_DIR:-}" >> '${at.mark}'\nexec '${real}' "$@"\n`);
  chmodSync(join(tools, "git"), 0o755);
  const run: RunScript = (script, { env }) => at.run(script, { env: { ...env, PATH: `${tools}:${at.env.PATH}` } });
  if (guarded) await readRepository(run, "uncommitted");
  else await run("GIT_DIR=$(mktemp -d); export GIT_DIR; git init -q", {});
  return readFileSync(at.mark, "utf8").includes(at.tmp);
});

/** Two remotes: the one that is shown, and another. */
function remotes({ git, dir }: GitPlace) {
  const [shown, other] = ["shown", "other"].map((name) => join(dir.path, name)) as [string, string];
  for (const path of [shown, other]) git("init", "-q", "--bare", path);
  git("remote", "add", "origin", shown);
  const arrived = () => git("--git-dir", other, "for-each-ref") !== "";
  return { shown, other, arrived };
}

attack("has a push lead elsewhere than to the address that is shown", async (guarded) => {
  await using at = await gitPlace();
  const { shown, other, arrived } = remotes(at);
  at.git("config", "remote.origin.pushurl", other);
  const address = guarded ? (await readRepository(at.run, "uncommitted"))?.remoteUrl : shown;
  if (guarded) await pushBranch(at.run, address ?? "");
  else at.git("push", "-q", "origin", "main");
  return arrived() && address !== other;
});

attack("changes the address of a push after it was shown", async (guarded) => {
  await using at = await gitPlace();
  const { shown, other, arrived } = remotes(at);
  const address = (await readRepository(at.run, "uncommitted"))?.remoteUrl ?? shown;
  at.git("config", "remote.origin.url", other);
  await (guarded ? pushBranch(at.run, address).catch(() => undefined) : at.git("push", "-q", "origin", "main"));
  return arrived();
});

attack("has another branch shown by a line break in the address of its remote", async (guarded) => {
  await using at = await gitPlace();
  at.git("remote", "add", "origin", "https://example.org/x\nbranch=another");
  const careless = (script: string) => script.replace('"$(address)"', '"$(setting "remote.$r.url")"');
  const run: RunScript = (script, options) => at.run(guarded ? script : careless(script), options);
  return (await readRepository(run, "uncommitted"))?.branch === "another";
});

const plans = [
  {
    name: "runs a hook of a repository on this machine when it is pushed to",
    plant: (other: string, mark: string) => {
      mkdirSync(join(other, "hooks"), { recursive: true });
      writeFileSync(join(other, "hooks", "pre-receive"), `#!/bin/sh\n: > '${mark}'\n`, { mode: 0o755 });
    },
  },
  {
    name: "runs a command that a repository on this machine names when it is pushed to",
    plant: (other: string, mark: string, { git }: GitPlace) => {
      git("--git-dir", other, "config", "core.alternateRefsCommand", `touch '${mark}'; :`);
      writeFileSync(join(other, "objects", "info", "alternates"), `${join(other, "..", "work", ".git", "objects")}\n`);
    },
  },
];
for (const { name, plant } of plans) {
  attack(name, async (guarded) => {
    await using at = await gitPlace();
    const { other, arrived } = remotes(at);
    plant(other, at.mark, at);
    at.git("remote", "set-url", "origin", other);
    if (guarded) await pushBranch(at.run, other);
    else at.git("push", "-q", "origin", "main");
    assert.ok(arrived());
    return existsSync(at.mark);
  });
}

attack("runs the monitor of a checkout on this machine when it is pushed to", async (guarded) => {
  await using at = await gitPlace();
  const other = join(at.dir.path, "checkout");
  at.git("clone", "-q", at.top, other);
  at.git("-C", other, "config", "receive.denyCurrentBranch", "updateInstead");
  at.git("-C", other, "config", "core.fsmonitor", `touch '${at.mark}'; false`);
  at.git("remote", "add", "origin", other);
  writeFileSync(join(at.top, "file"), "2\n");
  at.git("commit", "-qam", "More");
  if (guarded) await assert.rejects(pushBranch(at.run, other), /denyCurrentBranch|refus/);
  else at.git("push", "-q", "origin", "main");
  return existsSync(at.mark);
});

/** A forge's program that notes its words and the tokens that it would send. */
async function forgeProgram(at: GitPlace, tool: "gh" | "glab", place: { repository: string; branch?: string }) {
  const tools = join(at.dir.path, "tools");
  mkdirSync(tools);
  const noted = `{ printf '<%s>' "$@"; env | grep -E 'TOKEN='; } >> '${at.mark}'`;
  writeFileSync(join(tools, tool), `#!/bin/sh\n${noted}\n`, { mode: 0o755 });
  const tokens = { GH_TOKEN: "for-github", GH_ENTERPRISE_TOKEN: "for-ours", GITLAB_TOKEN: "for-gitlab" };
  const env = { PATH: `${tools}:${at.env.PATH}`, GH_HOST: "github.ours.example", ...tokens };
  const run: RunScript = (script, options) => at.run(script, { ...options, env: { ...env, ...options.env } });
  const { repository, branch = "main" } = place;
  const forge = { tool, repository, page: () => "" };
  await readPull(run, { forge, branch }).catch(() => undefined);
  return existsSync(at.mark) ? readFileSync(at.mark, "utf8") : "";
}

attack("gets a token for GitHub Enterprise by naming a host of its own", async (guarded) => {
  await using at = await gitPlace();
  const host = guarded ? "github.evil.example" : "github.ours.example";
  return (await forgeProgram(at, "gh", { repository: `${host}/a/b` })).includes("for-ours");
});

attack("gets a token for GitLab by naming a host of its own", async (guarded) => {
  await using at = await gitPlace();
  const host = guarded ? "gitlab.evil.example" : "gitlab.com";
  return (await forgeProgram(at, "glab", { repository: `${host}/a/b` })).includes("for-gitlab");
});

attack("gives the forge's program an option as the name of a branch", async (guarded) => {
  await using at = await gitPlace();
  const branch = guarded ? "--web" : "web";
  return (await forgeProgram(at, "gh", { repository: "github.com/a/b", branch })).includes(`<${branch}>`);
});

attack("has a file of another machine opened in the editor by its name", (guarded) => {
  const named = "//evil.example/share/x.ts";
  const path = guarded ? parseFileName(named, "/work")?.path : named;
  return path === undefined || editorHref("vscode", { path, line: null }, "/work").startsWith("vscode://file//");
});

attack("has another file committed than the one that is shown, by a name that git quotes", async (guarded) => {
  await using at = await gitPlace();
  const [good, evil] = ['q"x', 'q\\"x'];
  writeFileSync(join(at.top, good), "good\n");
  writeFileSync(join(at.top, evil), "evil\n");
  const found = await readRepository(at.run, "uncommitted");
  const file = found?.files.find(({ hunks }) => hunks.some(({ lines }) => lines.some(({ text }) => text === "good")));
  assert.ok(file);
  // A page without care takes the quotes away and leaves what is between them.
  await commitFiles(at.run, [{ file: guarded ? file : { ...file, path: evil }, hunks: "all" }], "More");
  return at.git("show", "HEAD").includes("evil");
});

attack("has a file shown under the name of another, by a name that looks like a header's end", async (guarded) => {
  await using at = await gitPlace();
  mkdirSync(join(at.top, "x b"));
  writeFileSync(join(at.top, "x b", "readme"), "");
  const header = "diff --git a/x b/readme b/x b/readme";
  const shown = (await readRepository(at.run, "uncommitted"))?.files.map(({ path }) => path) ?? [];
  return (guarded ? shown.at(-1) : / b\/(.+)$/.exec(header.slice(0, 27))?.[1]) !== "x b/readme";
});

attack("hides a change that comes in the second of the one before, and is as long", async (guarded) => {
  await using at = await gitPlace();
  const path = join(at.top, "file");
  const second = () => Math.floor(statSync(path).ctimeMs / 1000);
  let added = 0;
  do {
    writeFileSync(path, "2\n");
    added = second();
    at.git("add", "file");
    writeFileSync(path, "3\n");
  } while (second() !== added);
  // Git tells files by the second, and trusts an index that is younger than they are.
  await eventually(() => Math.floor(Date.now() / 1000) > added, { what: "the next second" });
  const run: RunScript = (script, options) => at.run(guarded ? script : script.replaceAll("cp -p ", "cp "), options);
  const shown = await readRepository(run, "uncommitted");
  const lines = shown?.files.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines)) ?? [];
  return !lines.some(({ text }) => text === "3");
});
