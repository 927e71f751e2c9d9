import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { commandLine } from "../../src/args/command-line.ts";
import { configOverrides } from "../../src/args/config-flags.ts";
import { type CommandSpec, portRange } from "../../src/args/flag.ts";
import { formatHelp } from "../../src/args/help.ts";
import { parseArguments } from "../../src/args/parse.ts";
import { splitWords } from "../../src/args/split-words.ts";
import { execSpec } from "../../src/codex/exec-flags.ts";
import { rootFlags } from "../../src/codex/shared-flags.ts";
import { appServerSpec } from "../../src/commands/app-server-flags.ts";

const flags = {
  loud: { type: "switch", help: "Shout." },
  config: { type: "list", short: "c", value: "key=value", help: "Set." },
  mode: { type: "text", value: "MODE", choices: ["slow", "fast"], help: "How." },
  clockSkew: { type: "number", value: "SECONDS", help: "How far." },
  port: { type: "number", value: "PORT", range: portRange, help: "Where." },
} as const;
const spec: CommandSpec<typeof flags> = {
  name: "quire test",
  summary: "Test",
  operands: "WORD",
  maxOperands: 1,
  flags,
};

describe("a command line", () => {
  test("is understood in all the ways people write it", () => {
    const { flags: given, operands } = parseArguments(spec, [
      "-ca=1",
      "--config",
      "b=2",
      "-c",
      "d=e=f",
      "--mode=fast",
      "--clock-skew",
      "5",
      "--loud",
      "word",
    ]);
    assert.deepEqual(given, {
      loud: true,
      config: ["a=1", "b=2", "d=e=f"],
      mode: "fast",
      clockSkew: 5,
      port: undefined,
    });
    assert.deepEqual(operands, ["word"]);
    assert.deepEqual(parseArguments(spec, []).flags, {
      loud: false,
      config: [],
      mode: undefined,
      clockSkew: undefined,
      port: undefined,
    });
    assert.deepEqual(parseArguments(spec, ["--", "--loud"]).operands, ["--loud"]);
    assert.deepEqual(parseArguments(spec, ["-"]).operands, ["-"]);
    assert.equal(parseArguments(spec, ["--mode", "fast", "-h", "--wrong"]).help, true);
  });

  test("may leave out a value where there is one to fall back on", () => {
    const optional = { codex: { type: "list", value: "COMMAND", bare: "codex", help: "Start." }, ...flags } as const;
    const codex = (...args: string[]) => parseArguments({ ...spec, flags: optional }, args).flags.codex;
    assert.deepEqual(codex("--codex"), ["codex"]);
    assert.deepEqual(codex("--codex", "--loud"), ["codex"]);
    assert.deepEqual(codex("--codex", "other", "--codex=third", "--codex"), ["other", "third", "codex"]);
    assert.deepEqual(codex("--codex="), [""]);
  });

  test("that is wrong is refused with what was probably meant", () => {
    const fails = (args: string[], message: RegExp) =>
      assert.throws(() => parseArguments(spec, args), { name: "UsageError", message });
    fails(["--laud"], /unexpected argument '--laud' found\n\n {2}tip: a similar argument exists: '--loud'/);
    fails(["--clock"], /similar argument exists: '--clock-skew'/);
    fails(["--zzzzzzzzzzzz"], /^unexpected argument '--zzzzzzzzzzzz' found\n\nUsage: quire test/);
    fails(
      ["--mode", "fats"],
      /invalid value 'fats' for '--mode <MODE>'\n {2}\[possible values: slow, fast\]\n\n {2}tip: a similar value exists: 'fast'/,
    );
    fails(["--mode"], /a value is required for '--mode <MODE>'/);
    fails(["--clock-skew", "abc"], /invalid value 'abc' for '--clock-skew <SECONDS>': expected a whole number/);
    fails(["--clock-skew", "-1"], /invalid value '-1'/);
    fails(["--loud=yes"], /unexpected value 'yes' for '--loud'/);
    fails(["--port", "65536"], /invalid value '65536' for '--port <PORT>': expected a whole number from 0 to 65535/);
    assert.throws(
      () => parseArguments({ ...spec, maxOperands: 0 }, ["word"]),
      /'word' found; quire test takes options/,
    );
    fails(["two", "words"], /unexpected argument 'words' found; put quotes/);
  });

  test("may have the configuration's options before the command, as with codex", () => {
    assert.deepEqual(commandLine(["-c", "a=1", "--enable=x", "app-server", "--stdio"]), {
      name: "app-server",
      args: ["-c", "a=1", "--enable=x", "--stdio"],
      before: [],
    });
    assert.deepEqual(commandLine(["--version"]), { name: "--version", args: [], before: [] });
    assert.deepEqual(commandLine([]), { name: undefined, args: [], before: [] });
    const line = ["-m", "gpt", "-c", "a=1", "--yolo", "exec", "hello"];
    assert.deepEqual(commandLine(line, rootFlags), {
      name: "exec",
      args: ["-c", "a=1", "hello"],
      before: ["-m", "gpt", "--yolo"],
    });
  });

  test("gives an option all words up to the next one where it takes many, as codex does for images", () => {
    const { flags, operands } = parseArguments(execSpec, ["-i", "a.png", "b.png,c.png", "--experimental-json", "say"]);
    assert.deepEqual(flags.image, ["a.png", "b.png", "c.png"]);
    assert.equal(flags.json, true);
    assert.deepEqual(operands, ["say"]);
  });

  test("takes every option of codex app-server 0.166", () => {
    const codex =
      "config startupSignOut enable disable startupClientInfo cloudSkillsSnapshot codeModeHost strictConfig listen stdio analyticsDefaultEnabled wsAuth wsTokenFile wsTokenSha256 wsSharedSecretFile wsIssuer wsAudience wsMaxClockSkewSeconds printStartupConfig";
    for (const name of codex.split(" ")) assert.ok(name in appServerSpec.flags, name);
    const help = formatHelp(appServerSpec);
    for (const flag of [
      "-c, --config <key=value>",
      "--ws-token-sha256 <HEX>",
      "--ws-max-clock-skew-seconds <SECONDS>",
      "--ws-allow-unauthenticated",
    ]) {
      assert.ok(help.includes(flag), flag);
    }
    assert.ok(help.split("\n").every((line) => line.length <= 120));
  });

  test("overrides the configuration with TOML, and with plain words where that is none", () => {
    const config = [
      'model="o3"',
      "plain=gpt-5.5",
      "list=[1, 2]",
      "a.b=true",
      "table={x = 1}",
      "quoted='it is'",
      "url=http://x/?a=b",
      "empty=",
    ];
    assert.deepEqual(configOverrides({ config, enable: ["one"], disable: ["two"] }), {
      "features.one": true,
      "features.two": false,
      model: "o3",
      plain: "gpt-5.5",
      list: [1, 2],
      "a.b": true,
      table: { x: 1 },
      quoted: "it is",
      url: "http://x/?a=b",
      empty: "",
    });
    assert.throws(
      () => configOverrides({ config: ["foo"], enable: [], disable: [] }),
      /Invalid override \(missing '='\): foo/,
    );
    assert.throws(() => configOverrides({ config: ["=1"], enable: [], disable: [] }), /Empty key/);
  });
});

test("a server given as a command is split as a shell would", () => {
  assert.deepEqual(splitWords(`/opt/my\\ codex app-server -c 'model="x y"' "a \\"b\\" $c" d''e ""`), [
    "/opt/my codex",
    "app-server",
    "-c",
    'model="x y"',
    'a "b" $c',
    "de",
    "",
  ]);
  assert.deepEqual(splitWords("  "), []);
});
