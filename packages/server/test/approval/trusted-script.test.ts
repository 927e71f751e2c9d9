import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { random, tempDir } from "@quire/testkit";
import { commandsOf, isRisky } from "../../src/approval/commands.ts";
import { isTrustedScript } from "../../src/approval/trust/trusted-script.ts";

const commands = (script: string) => commandsOf(script, ["/bin/bash", "-lc", script]);

const trusted = [
  "ls",
  "ls -la src",
  "/bin/ls",
  "cat a.txt | head -5",
  "cd sub && ls; pwd",
  "grep -rn 'a b' src || true",
  "find . -name '*.ts' -type f",
  "sed -n 1,200p file.ts",
  "sed -n '5p' file.ts",
  "rg needle src",
  "git status",
  "git --no-pager log --oneline -5",
  "git diff HEAD~1 -- a.ts",
  "git branch -a",
  "sort -u a.txt",
  "uniq -c",
  "date +%s",
  "wc -l a b",
];

const untrusted = [
  "",
  "touch a",
  "ls > out",
  "ls 2> err",
  "cat < in",
  "ls $(touch a)",
  "ls `touch a`",
  "ls $X",
  "echo ~",
  "ls *.ts",
  "X=1 ls",
  "ls &",
  "(ls)",
  "{ ls; }",
  "if true; then ls; fi",
  "ls; touch a",
  "ls | xargs rm",
  "ls | tee out",
  "ls | sh",
  "./ls",
  "/tmp/ls",
  "bash -c ls",
  "env ls",
  "eval ls",
  "command ls",
  "sudo ls",
  "find . -delete",
  "find . -exec rm {} +",
  "find . -execdir sh",
  "find . -ok rm x",
  "find . -fprint out",
  "find . -fprintf out %p",
  "find . -fls out",
  "sed -i s/a/b/ f",
  "sed -n 'w out' f",
  "sed -n '1e touch a' f",
  "sed s/a/b/e f",
  "sed -n 1p -i f",
  "rg --pre=touch x",
  "rg --pre touch x",
  "rg --hostname-bin=touch x",
  "rg -z x",
  "sort -o out a",
  "sort -uo out a",
  "sort --output=out a",
  "sort --outp=out a",
  "sort --compress-program=touch a",
  "uniq in out",
  "uniq -f 1 in out",
  "date -s 12:00",
  "date 010100002030",
  "file -C -m magic",
  "awk 'BEGIN { system(\"touch a\") }'",
  "tar xf a.tar",
  "printf -v 'a[$(touch b)]' x",
  "test -v 'a[$(touch b)]'",
  "git",
  "git -c core.pager=touch log",
  "git -C /tmp status",
  "git --git-dir=/tmp/x status",
  "git st",
  "git commit -m x",
  "git branch new",
  "git branch -D old",
  "git diff --output=out",
  "git diff --outpu=out",
  "git diff --ext-diff",
  "git log --textconv",
  "git cat-file --filters HEAD:a",
  "git grep -O x",
  "git config alias.x '!touch a'",
  "git show --output out",
  "git log --submodule=diff",
  "git ls-files --recurse-submodules",
];

test("commands that only look are trusted, alone and joined", () => {
  for (const script of trusted) assert.ok(isTrustedScript(commands(script)), script);
});

test("whatever could write, run or hide something else is not trusted", () => {
  for (const script of untrusted) assert.ok(!isTrustedScript(commands(script)), script);
});

test("every way to join a trusted command with another is as untrusted as the other", () => {
  for (const join of ["|", "&&", "||", ";", "\n", "&", "|&"]) {
    assert.ok(!isTrustedScript(commands(`ls ${join} touch a`)), join);
    assert.ok(!isTrustedScript(commands(`touch a ${join} ls`)), join);
  }
});

test("deleting by force is seen wherever it stands", () => {
  const risky = [
    "rm -rf a",
    "rm a -f",
    "rm --force a",
    "rm --fo a",
    "/bin/rm -fr a",
    "sudo -n rm -f a",
    "ls && rm -rf a",
    "echo $X; rm -rf a",
    "rm -rf $X",
    "if true; then rm -r -f a; fi",
    "X=1 rm -f a",
  ];
  for (const script of risky) assert.ok(isRisky(commands(script)), script);
  for (const script of ["rm a", "rm -r a", "rm -- -f", "echo rm", "git rm a", "ls farm -f"]) {
    assert.ok(!isRisky(commands(script)), script);
  }
});

test("whatever is trusted runs nothing else, however it is put together", async () => {
  await using folder = await tempDir("quire-trusted-");
  writeFileSync(join(folder.path, "evil"), "#!/bin/sh\n: > stolen\n", { mode: 0o755 });
  const { int } = random();
  const pieces = [
    ...["ls", "cat", "echo", "head -1", "grep a", "find .", "sort", "uniq", "sed -n 1p", "cd .", "wc", "true"],
    ...["./evil", "evil", "stolen", "-exec", "-o", "'", '"', "\\", "\n", " ", " ", " ", ";", "&&", "||", "|", "&", "$"],
    ...[
      "(",
      ")",
      "{",
      "}",
      "`",
      "#",
      "<",
      ">",
      "$(",
      "=",
      "*",
      "\t",
      "\\\n",
      "-",
      "--",
      "a",
      "{}",
      "+",
      "!",
      "\0",
      "\r",
    ],
  ];
  let ran = 0;
  for (let round = 0; round < 6000; round++) {
    const script = Array.from({ length: int(2, 9) }, () => pieces[int(0, pieces.length - 1)]).join(
      " ".repeat(int(0, 1)),
    );
    // What it reads from its input is nothing.
    if (!script.includes("evil") && !script.includes("stolen")) continue;
    if (!isTrustedScript(commands(script))) continue;
    ran += 1;
    Bun.spawnSync(["/bin/bash", "-c", script], { cwd: folder.path, stdin: "ignore", env: { PATH: "/usr/bin:/bin" } });
    assert.ok(!existsSync(join(folder.path, "stolen")), JSON.stringify(script));
  }
  assert.ok(ran > 0);
});
