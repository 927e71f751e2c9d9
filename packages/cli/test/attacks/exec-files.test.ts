/** Attacks: files that the command line of exec names. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { mockResponses, reply } from "@quire/testkit";
import { attack } from "@quire/testkit/attack";
import { launcher, place, slow } from "../support/quire.ts";

interface Named {
  /** The file that the person names, below the working folder. */
  readonly file: string;
  /** The link that a command of an earlier run has put there. */
  readonly link: string;
}

/** Whether the model's last message gets into a file that the person has not named. */
async function overwrites({ file, link }: Named, guarded: boolean): Promise<boolean> {
  await using mock = await mockResponses();
  await using here = await place(mock);
  const victim = join(here.cwd, "..", "mine", "start-up");
  mkdirSync(dirname(victim));
  writeFileSync(victim, "mine");
  symlinkSync(link === file ? victim : dirname(victim), join(here.cwd, link));
  if (guarded) {
    mock.script(reply().text("evil"));
    const { code, stderr } = await here.run(["exec", "--skip-git-repo-check", "-o", file, "go"]);
    assert.equal(code, 1);
    assert.match(stderr, /is a link in a folder that the model can write: remove it/);
  } else writeFileSync(join(here.cwd, file), "evil");
  return readFileSync(victim, "utf8") !== "mine";
}

attack("has its last message written to another file, by a link in the place of the one that is named", (guarded) =>
  overwrites({ file: "last.md", link: "last.md" }, guarded),
);
attack("has its last message written to another folder, by a link on the way to the file that is named", (guarded) =>
  overwrites({ file: "out/start-up", link: "out" }, guarded),
);

/** Whether a command line sends the server's login to the model. */
async function sends(words: readonly string[], guarded: boolean): Promise<boolean> {
  await using mock = await mockResponses();
  await using here = await place(mock);
  const login = join(here.home, "auth.json");
  writeFileSync(login, JSON.stringify({ OPENAI_API_KEY: "sk-secret" }));
  symlinkSync(login, join(here.cwd, "schema.json"));
  if (!guarded) return readFileSync(join(here.cwd, "schema.json"), "utf8").includes("sk-secret");
  mock.script(reply().text("{}"));
  const { stderr } = await here.run([...words, "--output-schema", "schema.json", "go"]);
  assert.match(stderr, /is a link in a folder that the model can write: remove it/);
  return mock.requests.some(({ body }) => JSON.stringify(body).includes("sk-secret"));
}

attack("is shown a login as the schema of its answer to exec, by a link in its place", (guarded) =>
  sends(["exec", "--skip-git-repo-check"], guarded),
);
attack("is shown a login as the schema of its answer to run, by a link in its place", (guarded) =>
  sends(["run"], guarded),
);

test("a file of one's own is written, also by a link that no command can have made", slow, async () => {
  await using mock = await mockResponses();
  await using here = await place(mock);
  mock.script(reply().text("one"), reply().text("two"));
  assert.equal((await here.run(["exec", "--skip-git-repo-check", "-o", "new.md", "go"])).code, 0);
  assert.equal(readFileSync(join(here.cwd, "new.md"), "utf8"), "one");
  // A pipe, as shells make them.
  const script = `'${launcher}' exec --skip-git-repo-check -o /dev/stdout go 2>/dev/null | cat`;
  const child = Bun.spawn(["/bin/sh", "-c", script], { cwd: here.cwd, env: here.env, stdin: "ignore", stdout: "pipe" });
  assert.match(await new Response(child.stdout).text(), /two[\s\S]*two/);
});
