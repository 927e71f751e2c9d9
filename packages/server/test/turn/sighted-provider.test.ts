/** Images in a thread whose model takes none: they are left out, and the thread goes on. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { reply } from "@quire/testkit";
import { said, stage, wireNamed } from "../model/ai-sdk/stage.ts";
import { input, type TestClient } from "../support/test-client.ts";

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const omitted = /image content omitted because this model takes no images/;

async function showImage(client: TestClient, threadId: string): Promise<string> {
  const shown = [...input("what is it"), { type: "image", url: `data:image/png;base64,${pixel}` }];
  const { turn } = await client.request("turn/start", { threadId, input: shown });
  return (await client.ended(turn.id)).status;
}

const warnings = (client: TestClient) => client.all("warning").filter(({ message }) => /takes no images/.test(message));

for (const [wire, refusal] of [
  ["chat", "messages[1]: unknown variant `image_url`, expected `text` at line 1"],
  ["plain responses", "image input is not supported by this model"],
  ["gemini", "Image input is not enabled for this model"],
] as const) {
  describe(wire, () => {
    test("an image that the model refuses is left out, told once, and the thread goes on", async () => {
      await using set = await stage(wireNamed(wire));
      const { client, cwd, mock } = set;
      writeFileSync(join(cwd, "pixel.png"), Buffer.from(pixel, "base64"));
      mock.script(mock.error(400, refusal), reply().text("I see none."));
      mock.script(reply().functionCall("view_image", { path: "pixel.png" }), reply().text("Nor here."));
      const threadId = await client.thread({ cwd });
      assert.equal(await showImage(client, threadId), "completed");
      assert.equal((await client.turn(threadId, "look at pixel.png")).status, "completed");
      assert.deepEqual(said(client), ["I see none.", "Nor here."]);
      const sent = mock.requests.map((request) => JSON.stringify(request.sent));
      const shown = sent.map((text) => text.includes(pixel.slice(0, 60)));
      assert.deepEqual(shown, [true, false, false, false]);
      assert.match(mock.last.functionOutputs()[0]?.output ?? "", omitted);
      assert.equal(warnings(client).length, 1);
      assert.deepEqual(mock.refused, []);
    });

    test("a model that is known to take no images is sent none", async () => {
      await using set = await stage(wireNamed(wire), {
        config: { [`model_providers.own.models.${wireNamed(wire).model}.images`]: false },
      });
      const { client, cwd, mock } = set;
      mock.script(reply().text("I see none."));
      assert.equal(await showImage(client, await client.thread({ cwd })), "completed");
      assert.equal(mock.requests.length, 1);
      assert.match(JSON.stringify(mock.last.sent), omitted);
      assert.match(warnings(client)[0]?.message ?? "", /images = true/);
    });
  });
}

test("a refusal for another reason is told, and the image stays", async () => {
  await using set = await stage(wireNamed("chat"));
  const { client, cwd, mock } = set;
  mock.script(mock.error(400, "The image is too large"), reply().text("A pixel."));
  const threadId = await client.thread({ cwd });
  assert.equal(await showImage(client, threadId), "failed");
  assert.equal((await client.turn(threadId, "again")).status, "completed");
  assert.ok(JSON.stringify(mock.last.sent).includes(pixel.slice(0, 60)));
  assert.equal(warnings(client).length, 0);
});
