import assert from "node:assert/strict";
import { it } from "node:test";
import { shellScript } from "@quire/protocol";

it("a command is shown without the shell around it", () => {
  assert.equal(shellScript("bash -lc 'ls -a'"), "ls -a");
  assert.equal(shellScript("/bin/zsh -lc 'ls -a'"), "ls -a");
  assert.equal(shellScript("/bin/bash -lc ls"), "ls");
  assert.equal(shellScript(`bash -lc 'echo '\\''hi'\\'''`), "echo 'hi'");
  assert.equal(shellScript('bash -lc "echo \\"$HOME\\""'), 'echo "$HOME"');
});

it("a command is never shown as another one, nor without a part of it", () => {
  for (const command of [
    "rm -rf x",
    // Two words for the shell: what stands behind the first is not part of the script.
    "bash -lc 'ls' 'rm'",
    "bash -lc 'ls'; rm 'x'",
    "bash -lc 'echo '\\''hi'\\'''; rm 'x'",
    'bash -lc "ls"; rm "x"',
    'bash -lc "ls\\"',
  ])
    assert.equal(shellScript(command), command);
});
