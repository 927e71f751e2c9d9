import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { it } from "node:test";
import { shellScript } from "@quire/protocol";
import { quoteCommand, quoteWord } from "@quire/protocol/shell";

const alphabet = [..."ab -/;|&$`\"'\\!^~#=*?[]{}()<>%,:@+.\n\t\r\u001b\u00e9\u202e\u{1f600}"];

it("what is shown of a command is the script that runs, whatever it holds", () => {
  const random = generator(17);
  for (let round = 0; round < 20_000; round++) {
    const script = Array.from({ length: random(24) }, () => alphabet[random(alphabet.length)]).join("");
    for (const shell of ["bash", "/bin/bash", "/usr/bin/zsh", "sh"])
      assert.equal(shellScript(quoteCommand([shell, round % 2 ? "-lc" : "-c", script])), script);
  }
});

it("a shell reads the command that is shown as the script that runs", () => {
  const random = generator(4);
  const scripts = Array.from({ length: 300 }, () =>
    Array.from({ length: random(24) }, () => alphabet[random(alphabet.length)]).join(""),
  );
  scripts.push(`echo "it's $HOME" | tee out.txt`);
  const printed = execFileSync("/bin/sh", ["-c", `printf '%s\\0' ${scripts.map(quoteWord).join(" ")}`], {
    encoding: "utf8",
  });
  assert.deepEqual(printed.split("\0").slice(0, -1), scripts);
});

/** The same numbers every time, each below its argument. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
