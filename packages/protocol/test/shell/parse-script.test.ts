import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { describe, test } from "node:test";
import { parseScript, plainCommands, quoteCommand, quoteWord } from "@quire/protocol/shell";
import { random } from "@quire/testkit";

const plain = (script: string) => plainCommands(parseScript(script) ?? assert.fail(`not parsed: ${script}`));

describe("scripts of simple commands", () => {
  const table: [string, string[][][]][] = [
    ["ls -la", [[["ls", "-la"]]]],
    ["a | b | c", [[["a"], ["b"], ["c"]]]],
    ["a && b || c; d\ne", [[["a"]], [["b"]], [["c"]], [["d"]], [["e"]]]],
    ["  a;  ", [[["a"]]]],
    ["a |\n b &&\n\n c", [[["a"], ["b"]], [["c"]]]],
    ["a \\\n b", [[["a", "b"]]]],
    ["echo 'a b' \"c d\" e\\ f", [[["echo", "a b", "c d", "e f"]]]],
    ["echo \"a\\\"b\\$c\\d\" 'it'\"'\"'s'", [[["echo", 'a"b$c\\d', "it's"]]]],
    ["echo a#b # c | d", [[["echo", "a#b"]]]],
    ["# only\n\nls", [[["ls"]]]],
    ["echo $ 'a$b' \"c$\"", [[["echo", "$", "a$b", "c$"]]]],
    ["echo ''", [[["echo", ""]]]],
    ["echo a=b 5", [[["echo", "a=b", "5"]]]],
  ];
  for (const [script, expected] of table) {
    test(`${JSON.stringify(script)} is read`, () => assert.deepEqual(plain(script), expected));
  }

  for (const script of [
    "cat $FOO",
    'cat "$FOO"',
    "cat $" + "{FOO}",
    "cat *.ts",
    "cat a?b",
    "cat [ab]",
    "cat {a,b}",
    "cat ~/x",
    "x --dir=~/y",
    "FOO=1 ls",
    "a+=1 ls",
    "ls > out",
    "ls 2>&1",
    "ls &>out",
    "cat < in",
    "cat <<EOF\nx\nEOF",
    "cat <<< x",
    "ls &",
    "ls & ls",
  ]) {
    test(`${JSON.stringify(script)} is more than literal words`, () => assert.equal(plain(script), undefined));
  }

  for (const script of [
    "cat $(ls)",
    "cat `ls`",
    'cat "$(ls)"',
    'cat "`ls`"',
    "cat $" + "{x:-$(ls)}",
    "cat $'a'",
    "cat $\\\n(ls)",
    'cat "$\\\n(ls)"',
    "cat $\\\n{x}",
    "a &\\\n& b",
    "ls >\\\n(cat)",
    'cat $"a"',
    "cat <(ls)",
    "ls > >(cat)",
    "(ls)",
    "{ ls; }",
    "if true; then ls; fi",
    "for x in a; do ls; done",
    "while true; do ls; done",
    "! ls",
    "[[ a ]]",
    "time ls",
    "f() { ls; }",
    "function f { ls; }",
    "case a in a) ls;; esac",
    "a ;; b",
    "a |& b",
    "a=(1 2)",
    "echo 'open",
    'echo "open',
    "echo open\\",
    "cat <<EOF\nno end",
    "cat <<EOF",
    "a | ",
    "a && ",
    "| a",
    "a && && b",
    "a >",
    "coproc ls",
  ]) {
    test(`${JSON.stringify(script)} is not taken for simple`, () => assert.equal(parseScript(script), undefined));
  }

  test("keywords in quotes or in second place are words", () => {
    assert.deepEqual(plain("'if' a"), [[["if", "a"]]]);
    assert.deepEqual(plain("echo if then fi"), [[["echo", "if", "then", "fi"]]]);
  });

  test("here-documents keep their text, and say whether the shell leaves it alone", () => {
    const [first] = parseScript("cat <<'A' <<-B | wc\nx $y\nA\n\tz\n\tB\nls") ?? [];
    const [one, two] = first?.commands[0]?.redirects ?? [];
    assert.deepEqual(one?.body, { text: "x $y\n", literal: true });
    assert.deepEqual(two?.body, { text: "z\n", literal: false });
    assert.equal(first?.commands.length, 2);
  });

  test("redirections keep their descriptor and target", () => {
    const [pipeline] = parseScript("make 2>err.log >>out </dev/null") ?? [];
    const shown = pipeline?.commands[0]?.redirects.map(({ operator, descriptor, target }) => [
      descriptor,
      operator,
      target.literal,
    ]);
    assert.deepEqual(shown, [
      [2, ">", "err.log"],
      [null, ">>", "out"],
      [null, "<", "/dev/null"],
    ]);
  });
});

describe("quoting", () => {
  test("words are quoted as clients know it", () => {
    assert.equal(quoteCommand(["/bin/bash", "-lc", "echo hi"]), "/bin/bash -lc 'echo hi'");
    assert.equal(quoteWord("true"), "true");
    assert.equal(quoteWord(""), "''");
    assert.equal(quoteWord("sed -n '1,5p' a"), `"sed -n '1,5p' a"`);
    assert.equal(quoteWord("awk '{print $1}'"), `"awk '{print "'$1}'"'"`);
    assert.equal(quoteWord("--color=never"), "'--color=never'");
  });

  test("a shell reads any quoted word as it was, and so do we", async () => {
    const { int } = random();
    const alphabet = [..."ab \t'\"\\$`!^*?[]{}()<>|&;#~=,%é\n-"];
    const words = Array.from({ length: 200 }, () =>
      Array.from({ length: int(0, 12) }, () => alphabet[int(0, alphabet.length - 1)]).join(""),
    );
    const script = `printf '%s\\0' ${quoteCommand(words)}`;
    const bash = execFileSync("/bin/bash", ["-c", script], { encoding: "utf8" });
    assert.deepEqual(bash.split("\0").slice(0, -1), words);
    assert.deepEqual(plain(script), [[["printf", "%s\\0", ...words]]]);
  });
});

describe("the lexer against bash", () => {
  test("whatever it reads as literal words, bash reads as the same words", () => {
    const { int } = random();
    const pieces = [
      "a",
      "b c",
      "'",
      '"',
      "\\",
      "$",
      "x=1",
      " ",
      "#",
      "~",
      "*",
      "{a,b}",
      "é",
      "'q r'",
      '"s t"',
      "\\ ",
      "\\\n",
      "-n",
      ":",
      "!",
      "^",
      "%",
      "=",
      "$x",
      "`",
      ">",
      "2",
    ];
    let read = 0;
    for (let round = 0; round < 400; round++) {
      const tail = Array.from({ length: int(1, 8) }, () => pieces[int(0, pieces.length - 1)]).join("");
      const script = `printf '%s\\0' ${tail}`;
      const parsed = parseScript(script);
      const commands = parsed && plainCommands(parsed);
      if (commands?.length !== 1 || commands[0]?.length !== 1) continue;
      read += 1;
      const bash = spawnSync("/bin/bash", ["-c", script], { cwd: "/", encoding: "utf8" });
      const words = commands[0][0]?.slice(2) ?? [];
      // Without arguments printf prints its format once.
      const expected = words.length === 0 ? [""] : words;
      assert.deepEqual(bash.stdout.split("\0").slice(0, -1), expected, JSON.stringify(script));
    }
    assert.ok(read > 20, `only ${read} were read`);
  });
});
