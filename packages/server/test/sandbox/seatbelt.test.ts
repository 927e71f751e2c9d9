/** The rules for macOS. They are read here, not enforced: that takes a Mac. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Reach } from "../../src/sandbox/reach.ts";
import { seatbeltLaunch, seatbeltProfile } from "../../src/sandbox/seatbelt.ts";

const reach: Reach = {
  writable: ["/private/tmp", '/Users/me/with "quotes" and \\'],
  roots: ["/private/tmp", "/private/tmp/work", '/Users/me/with "quotes" and \\'],
  anchors: ["/private/tmp/work"],
  readOnly: ["/private/tmp/work/.git"],
  hidden: ["/Users/me/.quire/auth.json"],
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
  assert.equal(at('(deny file-read* file-write* (subpath "/Users/me/.quire/auth.json"))'), rules.length - 1);
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
