/** The rules for macOS. They are read here, not enforced: that takes a Mac. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Reach } from "../../../src/run/sandbox/reach.ts";
import { seatbeltLaunch, seatbeltProfile } from "../../../src/run/sandbox/seatbelt.ts";

const reach: Reach = {
  writable: ["/private/tmp", '/Users/me/with "quotes" and \\'],
  roots: ["/private/tmp", "/private/tmp/work", '/Users/me/with "quotes" and \\'],
  anchors: ["/private/tmp/work"],
  readOnly: ["/private/tmp/work/.git"],
  links: [],
  hidden: [
    { folder: "/Users/me/.quire", shown: [{ at: "/Users/me/.quire/skills", source: "/Users/me/.quire/skills" }] },
  ],
  network: false,
  tty: false,
};

test("all is denied first; what is closed comes after what is open, for the last rule wins", () => {
  const rules = seatbeltProfile(reach).split("\n");
  const at = (part: string) => rules.findIndex((rule) => rule.includes(part));
  assert.deepEqual(rules.slice(0, 2), ["(version 1)", "(deny default)"]);
  assert.ok(at("(allow file-read*)") < at('(allow file-write* (subpath "/private/tmp")'));
  assert.ok(
    at('(allow file-write* (subpath "/private/tmp")') < at('(deny file-write-unlink (literal "/private/tmp/work"))'),
  );
  assert.ok(
    at('(allow file-write* (subpath "/private/tmp")') < at('(deny file-write* (subpath "/private/tmp/work/.git"))'),
  );
  const hides = at('(deny file-read* file-write* (subpath "/Users/me/.quire"))');
  assert.ok(at("(allow file-read*)") < hides && hides < at('(allow file-read* (subpath "/Users/me/.quire/skills")'));
});

test("protected names are closed in any case, and settings of agents at any depth", () => {
  const rules = seatbeltProfile(reach);
  assert.ok(rules.includes(`(regex #"^/private/tmp/work/\\.[gG][iI][tT](/|$)")`));
  assert.ok(rules.includes(`(regex #"^/private/tmp/(.*/)?(\\.[cC][oO][dD][eE][xX]|`));
});

test("a workspace below the server's home is open, the rest of the home is not", () => {
  const root = "/Users/me/.quire/worktrees/one";
  const rules = seatbeltProfile({ ...reach, writable: [root], roots: [root] }).split("\n");
  const hides = rules.findIndex((rule) => rule.startsWith("(deny file-read* file-write*"));
  assert.ok(rules.lastIndexOf(`(allow file-write* (subpath "${root}"))`) > hides);
});

test("a path cannot end its string and add rules", () => {
  const quoted = '(subpath "/Users/me/with \\"quotes\\" and \\\\")';
  assert.ok(seatbeltProfile(reach).includes(quoted));
});

test("the network is closed unless it is given, and unix sockets even then", () => {
  assert.doesNotMatch(seatbeltProfile(reach), /network|system-socket/);
  const open = seatbeltProfile({ ...reach, network: true });
  assert.match(open, /\(allow network-outbound \(remote ip\)\)/);
  assert.doesNotMatch(open, /unix/);
});

test("the command is passed as it is", () => {
  const launch = seatbeltLaunch({ argv: ["echo", "a b"], cwd: "/", env: {} }, reach);
  assert.deepEqual([launch.argv[0], ...launch.argv.slice(3)], ["/usr/bin/sandbox-exec", "--", "echo", "a b"]);
});
