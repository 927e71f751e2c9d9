/** Attacks: text that a person decides upon. */
import { shellScript, visibleHost, visibleText } from "@quire/protocol";
import { attack } from "@quire/testkit/attack";

/** What an eye makes of text: what has no shape is not there, and every blank is a blank. */
const eye = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu, (char) => (char === "\n" ? char : ""))
    .replace(/(\P{M}\p{M}{4})\p{M}+/gu, "$1")
    .replace(/[\p{Z}\u2800\s]+/gu, " ");

/** Pairs that look the same: the harmless one is what the person believes to approve. */
const lookalikes: readonly { readonly name: string; readonly real: string; readonly looks: string }[] = [
  { name: "hides a letter of a path behind a zero width space", real: "rm a\u200bb", looks: "rm ab" },
  { name: "hides a joiner in a file name", real: "cat a\u200d.txt", looks: "cat a.txt" },
  { name: "hides a word joiner in an option", real: "git push -\u2060-force", looks: "git push --force" },
  { name: "hides a soft hyphen in a host", real: "curl ev\u00adil.example", looks: "curl evil.example" },
  { name: "hides a byte order mark in a command", real: "\ufeffls", looks: "ls" },
  { name: "hides text in tag characters", real: "ls\u{e0072}\u{e006d}", looks: "ls" },
  { name: "hides data in variation selectors", real: "ls\ufe01\ufe05", looks: "ls" },
  { name: "hides data in supplementary variation selectors", real: "ls\u{e0150}", looks: "ls" },
  { name: "uses a Hangul filler as a blank name", real: "sh \u3164", looks: "sh " },
  { name: "uses a Braille blank as a space", real: "rm\u2800x", looks: "rm x" },
  { name: "uses a no-break space as a space", real: "rm\u00a0x", looks: "rm x" },
  { name: "uses an ideographic space as a space", real: "rm\u3000x", looks: "rm x" },
  { name: "reverses the end of a command", real: "ls \u202egpj.x", looks: "ls gpj.x" },
  { name: "reorders a command with isolates", real: "ls \u2067a\u2069b", looks: "ls ab" },
  { name: "turns the direction with an Arabic letter mark", real: "ls \u061cx", looks: "ls x" },
  { name: "erases a line with an escape sequence", real: "\x1b\x08ls", looks: "ls" },
  { name: "starts a sequence with the one-byte CSI", real: "\x9bls", looks: "ls" },
  { name: "breaks a line where only some programs see it", real: "ls\u2028x", looks: "ls x" },
  { name: "puts a lone surrogate into a file name", real: "cat \ud800a", looks: "cat a" },
  { name: "uses a private character", real: "ls\ue000", looks: "ls" },
  { name: "buries a line under combining marks", real: `a${"\u0301".repeat(99)}`, looks: `a${"\u0301".repeat(4)}` },
  { name: "pushes a payload out of sight with spaces", real: `ls${" ".repeat(400)};x`, looks: "ls ;x" },
  { name: "pushes a payload out of sight with blank lines", real: `ls\n${"\n".repeat(300)}x`, looks: "ls\nx" },
];
for (const { name, real, looks } of lookalikes)
  attack(name, (guarded) => {
    const shown = guarded ? visibleText(real) : real;
    return eye(shown) === eye(guarded ? visibleText(looks) : looks);
  });

attack("writes a mark itself, so that real ones are not believed", (guarded) => {
  const naive = (text: string) => text.replaceAll("\x1b", "⟦ESC⟧");
  const show = guarded ? visibleText : naive;
  return show("⟦ESC⟧") === show("\x1b");
});

/** How the script was read before: by one pattern. */
const naiveScript = (command: string): string => /sh -l?c (['"]?)([\s\S]*)\1$/.exec(command)?.[2] ?? command;

const commands: readonly { readonly name: string; readonly command: string; readonly part: string }[] = [
  { name: "runs a shell of its own that is not shown", command: "/tmp/x/bash -lc 'ls'", part: "/tmp/x/bash" },
  { name: "hides what follows the script", command: "/bin/bash -lc 'ls' x'rm'", part: "-lc" },
  { name: "hides that a dollar is expanded before it is shown", command: '/bin/sh -c "ls $(rm x)"', part: "sh -c" },
];
for (const { name, command, part } of commands)
  attack(name, (guarded) => !(guarded ? shellScript(command) : naiveScript(command)).includes(part));

const hosts: readonly { readonly name: string; readonly host: string }[] = [
  { name: "asks for a host with a Cyrillic letter", host: "p\u0430ypal.com" },
  { name: "asks for the loopback address in a short form", host: "127.1" },
  { name: "asks for the loopback address as one number", host: "2130706433" },
  { name: "asks for a host behind the name of another", host: "good.example@evil.example" },
];
for (const { name, host } of hosts) attack(name, (guarded) => !guarded || visibleHost(host).hint === undefined);
