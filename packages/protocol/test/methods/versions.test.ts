import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compareVersions, parseUserAgent } from "@quire/protocol";
import { methods } from "@quire/protocol/methods";
import {
  availability,
  explainMissing,
  fieldAvailability,
  itemAvailability,
  observedVersions,
  supports,
} from "@quire/protocol/versions";

describe("availability", () => {
  it("tells when a method appeared and went", () => {
    assert.deepEqual(availability("thread/start"), { since: "0.98.0" });
    assert.deepEqual(availability("turn/steer"), { since: "0.99.0", absentIn: "0.98.0" });
    assert.deepEqual(availability("thread/turns/list"), { since: "0.122.0", absentIn: "0.121.0" });
    assert.deepEqual(availability("newConversation"), { since: "0.98.0", removedIn: "0.110.0" });
    assert.deepEqual(availability("thread/rollback"), { since: "0.98.0", removedIn: "0.156.0" });
    assert.equal(availability("no/such/method"), undefined);
  });

  it("knows that codex/event/* ended with 0.114", () => {
    assert.deepEqual(availability("codex/event/task_started"), { since: "0.98.0", removedIn: "0.115.0" });
  });

  it("covers every method of the table, and agrees with it", () => {
    for (const [method, { since }] of Object.entries(methods)) {
      assert.equal(availability(method)?.since, since, method);
      assert.equal(availability(method)?.removedIn, undefined, method);
    }
  });

  it("tells when a param and a kind of item appeared", () => {
    assert.equal(fieldAvailability("thread/start", "ephemeral")?.since, "0.98.0");
    assert.equal(fieldAvailability("thread/start", "serviceTier")?.since, "0.110.0");
    assert.equal(fieldAvailability("thread/start", "multiAgentMode")?.since, "0.142.0");
    assert.equal(fieldAvailability("thread/turns/list", "cursor")?.since, "0.122.0");
    assert.equal(itemAvailability("commandExecution")?.since, "0.98.0");
    assert.equal(itemAvailability("sleep")?.since, "0.141.0");
  });
});

describe("supports", () => {
  it("is sure at and beyond the observed versions", () => {
    assert.equal(supports("thread/turns/list", "0.166.0"), true);
    assert.equal(supports("thread/turns/list", "0.200.0"), true);
    assert.equal(supports("thread/turns/list", "0.118.0"), false);
    assert.equal(supports("thread/turns/list", "0.50.0"), false);
    assert.equal(supports("newConversation", "0.98.0"), true);
    assert.equal(supports("newConversation", "0.166.0"), false);
    for (const version of ["0.98.0", "0.125.0", "0.150.0", "0.169.0"]) assert.ok(observedVersions.includes(version));
  });

  it("does not guess between them", () => {
    assert.equal(supports("thread/turns/list", "0.122.0-alpha.3"), undefined);
    assert.equal(supports("newConversation", "0.108.0"), undefined);
    assert.equal(supports("thread/start", "0.50.0"), undefined);
    assert.equal(supports("no/such/method", "0.166.0"), undefined);
  });

  it("says what is needed", () => {
    const message = "thread/turns/list needs Codex 0.122.0 or later (you have 0.118.0)";
    assert.equal(explainMissing("thread/turns/list", "0.118.0"), message);
    assert.equal(
      explainMissing("thread/rollback", "0.166.0"),
      "thread/rollback went away in Codex 0.156.0 (you have 0.166.0)",
    );
    assert.equal(explainMissing("thread/start", "0.118.0"), undefined);
  });
});

describe("compareVersions", () => {
  it("orders by number, and pre-releases before their release", () => {
    const ordered = [
      "0.98.0",
      "0.118.0-alpha",
      "0.118.0-alpha.2",
      "0.118.0-alpha.10",
      "0.118.0-beta",
      "0.118.0",
      "1.0.0",
    ];
    for (const [index, version] of ordered.entries()) {
      assert.equal(compareVersions(version, version), 0);
      for (const newer of ordered.slice(index + 1)) {
        assert.ok(compareVersions(version, newer) < 0, `${version} < ${newer}`);
        assert.ok(compareVersions(newer, version) > 0, `${newer} > ${version}`);
      }
    }
    assert.equal(compareVersions("v0.118.0+build", "0.118.0"), 0);
  });
});

describe("parseUserAgent", () => {
  it("finds the server's version behind the client's name", () => {
    const real = "quire_probe/0.166.0 (Debian 12.0.0; x86_64) xterm (quire_probe; 1.2.3)";
    assert.equal(parseUserAgent(real), "0.166.0");
    assert.equal(parseUserAgent("codex_vscode/0.118.0-alpha.3 (Mac OS 15.0.0; arm64)"), "0.118.0-alpha.3");
    assert.equal(parseUserAgent("my/app/0.98.0 (x)"), "0.98.0");
    assert.equal(parseUserAgent("something else"), undefined);
    assert.equal(parseUserAgent(""), undefined);
  });
});
