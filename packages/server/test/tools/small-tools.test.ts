import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { tempDir } from "@quire/testkit";
import { offlineModel } from "../../src/config/catalogue.ts";
import { unsupportedCall } from "../../src/tools/toolbox.ts";
import { settingsIn } from "../support/settings.ts";
import { FakeThread, fakeConfig } from "./fake-context.ts";

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const planMode = {
  collaborationMode: {
    mode: "plan",
    settings: { model: "mock", reasoning_effort: null, developer_instructions: null },
  },
} as const;

describe("view_image", () => {
  test("the model sees the picture and the clients an item", async () => {
    await using dir = await tempDir();
    writeFileSync(join(dir.path, "p.png"), pixel);
    const thread = new FakeThread(dir.path);
    assert.deepEqual(await thread.call("view_image", { path: "p.png" }), [
      { type: "input_image", image_url: `data:image/png;base64,${pixel.toString("base64")}`, detail: "high" },
    ]);
    assert.equal(thread.all("started")[0].path, join(dir.path, "p.png"));
    assert.equal(thread.all("completed")[0].type, "imageView");
  });

  test("a picture larger than a model looks at is made smaller", async () => {
    await using dir = await tempDir();
    const large = await new Bun.Image(pixel).resize(3000, 1000, { fit: "fill" }).png().bytes();
    writeFileSync(join(dir.path, "large.png"), large);
    const thread = new FakeThread(dir.path);
    const [{ image_url }] = await thread.call("view_image", { path: "large.png" });
    const shown = Buffer.from(image_url.split(",")[1], "base64");
    assert.deepEqual(await new Bun.Image(shown).metadata(), { width: 2048, height: 683, format: "png" });
  });

  test("what is no picture makes no item and says why", async () => {
    await using dir = await tempDir();
    writeFileSync(join(dir.path, "a.txt"), "hello");
    const thread = new FakeThread(dir.path);
    assert.match(
      await thread.failure("view_image", { path: "none.png" }),
      /^unable to locate image at `.*none\.png`: No such file/,
    );
    assert.equal(await thread.failure("view_image", { path: "." }), `image path \`${dir.path}\` is not a file`);
    assert.match(await thread.failure("view_image", { path: "a.txt" }), /^unable to process image/);
    assert.deepEqual(thread.told, []);
  });
});

describe("update_plan", () => {
  const config = fakeConfig({ tools: { update_plan: { enabled: true } } });

  test("clients are told the plan", async () => {
    const thread = new FakeThread("/tmp", { config });
    const plan = [
      { step: "one", status: "completed" },
      { step: "two", status: "in_progress" },
    ];
    assert.equal(await thread.call("update_plan", { explanation: "why", plan }), "Plan updated");
    assert.deepEqual(thread.all("turn/plan/updated"), [
      {
        explanation: "why",
        plan: [
          { step: "one", status: "completed" },
          { step: "two", status: "inProgress" },
        ],
      },
    ]);
  });

  test("the offline model is offered it, unless the configuration forbids that", () => {
    const offered = (raw: Record<string, unknown>): boolean => {
      const thread = new FakeThread("/tmp", { config: { ...fakeConfig(raw), model: offlineModel } });
      return thread.toolbox.specs(thread.settings).some(({ name }) => name === "update_plan");
    };
    assert.deepEqual([offered({}), offered({ tools: { update_plan: { enabled: false } } })], [true, false]);
  });

  test("it is offered only where the configuration says so, refused in plan mode, and checked", async () => {
    const without = new FakeThread("/tmp");
    assert.ok(!without.toolbox.specs(without.settings).some(({ name }) => name === "update_plan"));
    const planning = new FakeThread("/tmp", { config, settings: planMode });
    assert.match(await planning.failure("update_plan", { plan: [] }), /not allowed in Plan mode/);
    const thread = new FakeThread("/tmp", { config });
    assert.match(
      await thread.failure("update_plan", { plan: [{ step: "x", status: "nope" }] }),
      /unknown variant `nope`/,
    );
    assert.match(await thread.failure("update_plan", {}), /missing field `plan`/);
  });
});

describe("request_user_input", () => {
  const questions = [{ id: "q", header: "H", question: "Which?", options: [{ label: "A", description: "a" }] }];

  test("the user's answers go to the model", async () => {
    const thread = new FakeThread("/tmp", { settings: planMode });
    thread.answer = async () => ({ answers: { q: { answers: ["A"] } } });
    assert.equal(await thread.call("request_user_input", { questions }), '{"answers":{"q":{"answers":["A"]}}}');
    assert.deepEqual(thread.all("item/tool/requestUserInput"), [
      {
        itemId: "call-1",
        questions: [{ ...questions[0], isOther: true, isSecret: false }],
        isBlocking: true,
        autoResolutionMs: null,
      },
    ]);
  });

  test("a refusal is no answer, an interrupt ends the wait, and outside of plan mode nobody is asked", async () => {
    const refused = new FakeThread("/tmp", { settings: planMode });
    refused.answer = () => Promise.reject(new Error("no"));
    assert.equal(await refused.call("request_user_input", { questions }), '{"answers":{}}');
    const interrupted = new FakeThread("/tmp", { settings: planMode });
    const call = interrupted.failure("request_user_input", { questions });
    interrupted.abort.abort(new Error("interrupted"));
    assert.equal(await call, "interrupted");
    const working = new FakeThread("/tmp");
    assert.equal(
      await working.failure("request_user_input", { questions }),
      "request_user_input is unavailable in Default mode",
    );
    const empty = new FakeThread("/tmp", { settings: planMode });
    assert.match(
      await empty.failure("request_user_input", { questions: [{ ...questions[0], options: [] }] }),
      /requires non-empty options/,
    );
  });
});

describe("the toolbox", () => {
  test("tools are offered in the order that clients and prompt caches know", () => {
    const config = fakeConfig({ tools: { update_plan: { enabled: true } } });
    const thread = new FakeThread("/tmp", { config });
    const names = thread.toolbox.specs(settingsIn("/tmp")).map(({ name, type }) => name ?? type);
    assert.deepEqual(names, [
      "exec_command",
      "write_stdin",
      "update_plan",
      "request_user_input",
      "view_image",
      "web_search",
    ]);
  });

  test("models that are known write patches as free text", () => {
    const thread = new FakeThread("/tmp");
    const specs = (model: string) => thread.toolbox.specs({ ...thread.settings, model });
    assert.equal(specs("gpt-5.5").find(({ name }) => name === "apply_patch")?.type, "custom");
    assert.equal(
      specs("some-model").find(({ name }) => name === "apply_patch"),
      undefined,
    );
  });

  test("the hosted search follows configuration and sandbox", () => {
    const spec = (raw: Record<string, unknown>, type: "dangerFullAccess" | "readOnly") => {
      const thread = new FakeThread("/tmp", { config: fakeConfig(raw) });
      const sandboxPolicy = type === "readOnly" ? { type, networkAccess: false } : { type };
      return thread.toolbox.specs({ ...thread.settings, sandboxPolicy }).find((tool) => tool.type === "web_search");
    };
    assert.equal(spec({}, "dangerFullAccess")?.external_web_access, true);
    assert.equal(spec({}, "readOnly")?.external_web_access, false);
    assert.equal(spec({ web_search: "live" }, "readOnly")?.external_web_access, true);
    assert.equal(spec({ web_search: "disabled" }, "dangerFullAccess"), undefined);
  });

  test("a call that no tool answers is named", () => {
    const call = { kind: "function", callId: "c", namespace: null, name: "nope", arguments: "" } as const;
    assert.equal(unsupportedCall(call), "unsupported call: nope");
    assert.equal(unsupportedCall({ ...call, namespace: "ns" }), "unsupported call: nsnope");
    assert.equal(unsupportedCall({ ...call, kind: "custom" }), "unsupported custom tool call: nope");
  });
});
