import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { brotliDecompressSync } from "node:zlib";
import type { Description } from "../packages/protocol/generator/describe.ts";
import { differenceOf } from "../packages/protocol/generator/difference.ts";
import { scopeOf } from "../packages/protocol/generator/scopes.ts";
import type { WireMethod } from "../packages/protocol/generator/surface.ts";
import { placeChanges } from "../scripts/lib/upstream/report.ts";
import { Whereabouts } from "../scripts/lib/upstream/whereabouts.ts";

/** Recorded result of `describeSurface` for a version, so that the test needs neither Codex. */
function kept(version: string): Description {
  const file = join(import.meta.dirname, "fixtures", "surfaces", `${version}.txt.br`);
  const lines = brotliDecompressSync(readFileSync(file)).toString().split("\n").filter(Boolean);
  return new Map(lines.map((line) => line.split("\t") as [string, string]));
}

const [before, after] = [kept("0.166.0"), kept("0.169.0")];
const changes = differenceOf(before, after);

function named(change: string, ...what: string[]): string[] {
  return changes.filter((each) => each.change === change && what.includes(each.what)).map(({ name }) => name);
}

describe("what a new Codex brings is told in full and once", () => {
  test("requests and notifications", () => {
    assert.deepEqual(named("added", "request"), [
      "account/securitySetup/read",
      "modelProvider/config/write",
      "modelProvider/list",
      "thread/guardianReview",
      "thread/prepareApprovedPlan",
    ]);
    assert.deepEqual(named("added", "notification"), ["thread/section/changed"]);
    assert.deepEqual(named("changed", "params"), ["account/gatewayOAuth/login", "account/gatewayOAuth/read"]);
  });

  test("which of them are experimental", () => {
    const experimental = changes.filter(({ detail }) => detail.startsWith("experimental")).map(({ name }) => name);
    assert.deepEqual(experimental, ["thread/guardianReview", "thread/prepareApprovedPlan"]);
  });

  test("variants, capabilities, and fields of which one is chosen", () => {
    assert.deepEqual(named("added", "variant"), [
      "CodexErrorInfo.inferenceHookDenied",
      "CommandExecutionApprovalKind.humanCommand",
    ]);
    assert.deepEqual(named("added", "capability"), ["requiredHumanApproval"]);
    assert.deepEqual(named("changed", "field"), [
      "ContentItem(input_audio).audio_url",
      "FunctionCallOutputContentItem(input_audio).audio_url",
      "UserInput(audio).url",
    ]);
  });

  test("limits that only the words of the schema have", () => {
    const limits = changes.filter(({ what }) => what === "limit").map(({ name, detail }) => `${name}: ${detail}`);
    assert.deepEqual(limits, ["PluginInterface.defaultPrompt: was 3, 128, is 3, 512"]);
  });

  test("fields of results", () => {
    assert.deepEqual(named("added", "result field"), [
      "Config.client_search_provider",
      "GatewayOAuthChangedNotification.loginId",
      "GatewayOAuthLoginResponse.prompt",
      "GatewayOAuthReadResponse.supportsDeviceAuth",
      "GetAccountResponse.userId",
      "ItemCompletedNotification.contentTokenCount",
      "OtelRequirements.log_sse_deltas",
      "QueuedSubmission.responsesapiClientMetadata",
      "Thread.attachedToThreadId",
      "ThreadItem(agentMessage).moderation",
      "ThreadItemEntry.outputDeferred",
      "ThreadSettings.environments",
    ]);
  });

  test("params", () => {
    assert.deepEqual(named("added", "param"), [
      "mcpServer/resource/read._meta",
      "model/list.modelProvider",
      "thread/items/list.deferOutput",
      "thread/list.currentAccountOnly",
      "thread/list.includeAttachedThreads",
      "thread/queue/add.responsesapiClientMetadata",
      "thread/queue/update.responsesapiClientMetadata",
      "thread/sample.allowInProgressTurn",
      "thread/sample.interruptOnCancel",
      "thread/search.currentAccountOnly",
      "thread/search.includeAttachedThreads",
      "thread/settings/update.environments",
      "turn/settings/update.environments",
    ]);
  });

  test("nothing went away, and the way back is told as removals", () => {
    assert.equal(changes.filter(({ change }) => change === "removed").length, 0);
    const back = differenceOf(after, before).filter(({ what }) => what === "request");
    assert.deepEqual(new Set(back.map(({ change }) => change)), new Set(["removed"]));
    assert.equal(back.length, 5);
    assert.deepEqual(differenceOf(after, after), []);
  });
});

test("a request of which nothing says how it is ordered stops the generator, with the file to say it in", () => {
  const planted = { kind: "clientRequest", method: "planted/list" } as WireMethod;
  assert.throws(() => scopeOf(planted, undefined), /planted\/list is ordered: see generator\/scopes\.ts/);
  assert.deepEqual(scopeOf({ ...planted, method: "project/list" }, undefined), { shared: "project" });
});

test("a change is told with a file of the server to look at", () => {
  const placed = placeChanges(changes, after, new Whereabouts());
  const fileOf = (name: string) => placed.find((change) => change.name === name)?.files[0];
  assert.equal(fileOf("thread/sample.allowInProgressTurn"), "packages/server/src/processors/thread/sampling.ts");
  assert.equal(fileOf("Thread.attachedToThreadId"), "packages/server/src/thread/wire-thread.ts");
});
