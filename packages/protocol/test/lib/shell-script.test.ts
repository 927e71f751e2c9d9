import assert from "node:assert/strict";
import { it } from "node:test";
import { shellScript } from "@quire/protocol";

it("a command is shown without the shell around it", () => {
  assert.equal(shellScript("bash -lc 'ls -a'"), "ls -a");
  assert.equal(shellScript("/bin/zsh -lc 'ls -a'"), "ls -a");
  assert.equal(shellScript("/bin/bash -lc ls"), "ls");
  assert.equal(shellScript(`bash -lc 'echo '\\''hi'\\'''`), "echo 'hi'");
  assert.equal(shellScript('bash -lc "echo \\"\\$HOME\\""'), 'echo "$HOME"');
});

it("a command with both kinds of quotes and a dollar is shown as it was written", () => {
  // As a server writes it: in pieces, because no one kind of quotes will do.
  const command = `/bin/bash -lc 'echo "it'"'"'s $HOME" | tee out.txt'`;
  assert.equal(shellScript(command), `echo "it's $HOME" | tee out.txt`);
  assert.equal(shellScript(`bash -lc "echo \\"it's "'$HOME" | tee out.txt'`), `echo "it's $HOME" | tee out.txt`);
});

it("a command is never shown as another one, nor without a part of it", () => {
  for (const command of [
    "rm -rf x",
    "ls",
    "",
    // Two words for the shell: what stands behind the first is not part of the script.
    "bash -lc 'ls' 'rm'",
    "bash -lc 'ls'; rm 'x'",
    "bash -lc ls;rm",
    "bash -lc ls&",
    "bash -lc 'ls' >x",
    "bash -lc 'ls'\nrm",
    "bash -lc 'echo '\\''hi'\\'''; rm 'x'",
    'bash -lc "ls"; rm "x"',
    'bash -lc "ls\\"',
    // Expanded by whoever reads the line, before the script runs.
    'bash -lc "ls $(rm x)"',
    'bash -lc "ls `rm x`"',
    "bash -lc $'ls'",
    "bash -lc *",
    // Not the shell that it looks like.
    "/tmp/x/bash -lc 'ls'",
    "./bash -lc 'ls'",
    "bash -xlc 'ls'",
    "bash  -lc 'ls'",
  ])
    assert.equal(shellScript(command), command);
});
