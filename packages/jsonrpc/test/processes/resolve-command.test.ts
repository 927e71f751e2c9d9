import assert from "node:assert/strict";
import { describe } from "node:test";
import { type CommandLookup, resolveCommand } from "@quire/jsonrpc/processes";
import { test } from "../support/test.ts";

function windows(files: readonly string[], env: Record<string, string> = {}): CommandLookup {
  const present = new Set(files.map((file) => file.toLowerCase()));
  return {
    platform: "win32",
    env: { PATH: "C:\\bin;C:\\npm", PATHEXT: ".COM;.EXE;.BAT;.CMD", ComSpec: "C:\\Windows\\cmd.exe", ...env },
    exists: (path) => present.has(path.toLowerCase()),
  };
}

/** What `cmd /c` leaves of an escaped argument: one caret per character is taken away, outside quotes. */
const unescaped = (text: string): string => text.replace(/\^(.)/gs, "$1");

describe("finding the program to spawn", () => {
  test("elsewhere than on Windows the command is used as it is", () => {
    const lookup = { platform: "linux", env: {}, exists: () => assert.fail("not looked up") };
    assert.deepEqual(resolveCommand("codex", ["a b"], lookup), { file: "codex", args: ["a b"], verbatim: false });
  });

  test("on Windows an .exe on PATH is started directly, with its arguments untouched", () => {
    const found = resolveCommand("codex", ['a "b"'], windows(["C:\\npm\\codex.exe"]));
    assert.deepEqual(found, { file: "C:\\npm\\codex.exe", args: ['a "b"'], verbatim: false });
  });

  test("a tool installed by npm, which is a .cmd there, is started through cmd.exe", () => {
    const found = resolveCommand("codex", ["app-server"], windows(["C:\\npm\\codex", "C:\\npm\\codex.cmd"]));
    assert.equal(found.file, "C:\\Windows\\cmd.exe");
    assert.equal(found.verbatim, true);
    assert.deepEqual(found.args.slice(0, 3), ["/d", "/s", "/c"]);
    assert.equal(unescaped(unescaped(found.args[3] as string)), '"C:\\npm\\codex.cmd "app-server""');
  });

  test("earlier folders of PATH win, and within one the order of PATHEXT", () => {
    const both = windows(["C:\\bin\\tool.cmd", "C:\\npm\\tool.exe", "C:\\npm\\tool.cmd"]);
    assert.match(resolveCommand("tool", [], both).args[3] as string, /C:\\bin\\tool\.cmd/);
    const second = windows(["C:\\npm\\tool.exe", "C:\\npm\\tool.cmd"]);
    assert.equal(resolveCommand("tool", [], second).file, "C:\\npm\\tool.exe");
  });

  test("environment names are found in any case, and defaults hold without them", () => {
    const lookup: CommandLookup = {
      platform: "win32",
      env: { Path: "C:\\npm" },
      exists: (path) => path === "C:\\npm\\tool.cmd",
    };
    assert.equal(resolveCommand("tool", [], lookup).file, "cmd.exe");
  });

  test("a path, with or without its ending, is not looked up on PATH", () => {
    const lookup = windows(["D:\\app\\run.bat", "C:\\bin\\run.exe"]);
    assert.equal(resolveCommand("D:\\app\\run.bat", [], lookup).verbatim, true);
    assert.equal(resolveCommand("D:\\app\\run", [], lookup).verbatim, true);
    assert.equal(resolveCommand("C:/bin/run.exe", [], windows(["C:/bin/run.exe"])).file, "C:/bin/run.exe");
  });

  test("a command that is nowhere is passed on, so that the error names it", () => {
    assert.deepEqual(resolveCommand("nowhere", ["x"], windows([])), { file: "nowhere", args: ["x"], verbatim: false });
  });

  test("no argument can run a second command: every character special to cmd is escaped, twice", () => {
    const hostile = ["a&calc", "%PATH%", "x|y", "<in>out", "^", "!v!", "(a)", "a;b,c", "*?", "two words", "`t`"];
    for (const argument of hostile) {
      const line = resolveCommand("t", [argument], windows(["C:\\bin\\t.cmd"])).args[3] as string;
      const inner = line.slice(1, -1);
      assert.doesNotMatch(inner.replace(/\^./gs, ""), /[()[\]%!"`<>&|;,*?]/);
      assert.equal(unescaped(unescaped(inner)), `C:\\bin\\t.cmd "${argument}"`);
    }
  });

  test("quotes and backslashes reach the program as they were", () => {
    const cases: [string, string][] = [
      ['say "hi"', '"say \\"hi\\""'],
      ["C:\\dir\\", '"C:\\dir\\\\"'],
      ['a\\"b', '"a\\\\\\"b"'],
      ["", '""'],
    ];
    for (const [argument, quoted] of cases) {
      const line = resolveCommand("t", [argument], windows(["C:\\bin\\t.cmd"])).args[3] as string;
      assert.equal(unescaped(unescaped(line.slice(1, -1))), `C:\\bin\\t.cmd ${quoted}`);
    }
  });
});
