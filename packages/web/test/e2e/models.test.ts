import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { codexVersion } from "@quire/protocol/version";
import { type MockResponses, mockResponses, reply, skipWithoutCodex } from "@quire/testkit";
import type { Page } from "playwright-core";
import { assertAccessible } from "../support/axe.ts";
import { openStage } from "./support/stage.ts";

/** Hands requests with the right key on to the scripted model; lists two models of its own. */
async function openProvider(): Promise<{ url: string; model: MockResponses; close(): Promise<void> }> {
  const model = await mockResponses();
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.headers.authorization !== "Bearer sk-good" || request.headers["x-team"] !== "blue") {
      const isList = request.url?.endsWith("/models") === true && request.headers.authorization === "Bearer sk-good";
      if (!isList) {
        response.writeHead(401, { "content-type": "application/json" });
        response.end(JSON.stringify({ error: { message: "No such key." } }));
        return;
      }
    }
    if (request.url?.endsWith("/models") === true) {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ data: [{ id: "tiny-1" }, { id: "tiny-2" }] }));
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const answer = await fetch(new URL(request.url ?? "/", model.url), {
      method: request.method ?? "GET",
      headers: { "content-type": "application/json" },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "text/plain" });
    response.end(Buffer.from(await answer.arrayBuffer()));
  };
  const door = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(door.address() as AddressInfo).port}/v1`,
    model,
    async close() {
      door.closeAllConnections();
      await new Promise((resolve) => door.close(resolve));
      await model.close();
    },
  };
}

/** Lets the page's look for local servers find one elsewhere than at its usual port, which tests cannot have. */
async function moveLocal(page: Page, { from, to }: { readonly from: string; readonly to: string }): Promise<void> {
  await page.route("**/api/key-check", async (route) => {
    const asked = route.request().postDataJSON() as { key: string; baseUrl?: string };
    if (asked.baseUrl === from) return route.continue({ postData: JSON.stringify({ key: "sk-good", baseUrl: to }) });
    return route.continue();
  });
}

const skip = await skipWithoutCodex(codexVersion);
for (const codex of [undefined, codexVersion]) {
  describe(codex === undefined ? "on our server" : `on Codex ${codex}`, { skip: codex !== undefined && skip }, () => {
    const closing: (() => Promise<unknown>)[] = [];
    after(async () => {
      for (const close of closing) await close();
    });

    test("a provider with a key, headers and a model is added, answers, is changed and removed", async () => {
      const provider = await openProvider();
      const stage = await openStage(codex === undefined ? { offline: true } : { codex });
      closing.push(async () => stage[Symbol.asyncDispose](), provider.close);
      const screen = await stage.tab();
      const { page } = screen;
      await screen.open();
      await screen.button("Settings").click();
      const dialog = page.getByRole("dialog", { name: "Settings" });
      await dialog.getByRole("button", { name: "Models" }).click();
      await dialog.getByRole("button", { name: "Add provider" }).click();
      await dialog.getByLabel("ID").fill("openai");
      await dialog.getByLabel("Base URL").fill(provider.url);
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.getByText("This ID is taken. Choose another.").waitFor();
      await dialog.getByLabel("ID").fill("tiny");
      await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("Tiny");
      await dialog.getByLabel("API key").last().fill("sk-bad");
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.getByText(/The provider refused this key: HTTP 401: No such key.*Nothing was saved/).waitFor();
      await assertAccessible(page, "the form of a provider");
      await dialog.getByLabel("API key").last().fill("sk-good");
      await dialog.getByText("Extra headers").first().click();
      await dialog.getByRole("textbox", { name: "Extra headers" }).fill("x-team: blue");
      await dialog.getByRole("button", { name: "Check and list models" }).click();
      await dialog.getByText("The provider answers and lists 2 models.").waitFor();
      assert.equal(await dialog.getByLabel("Model", { exact: true }).inputValue(), "tiny-1");
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.getByRole("listitem").filter({ hasText: "Tiny" }).getByText("In use").waitFor();
      await page.keyboard.press("Escape");
      await screen.button("Model: tiny-1").waitFor();
      provider.model.script(reply().text("A tiny answer."));
      await screen.begin("Who answers?");
      await screen.said("A tiny answer.").waitFor();
      assert.equal((provider.model.last.body as { model?: string }).model, "tiny-1");

      await screen.open();
      await screen.button("Settings").click();
      await dialog.getByRole("button", { name: "Models" }).click();
      await dialog.getByRole("button", { name: "Edit Tiny" }).click();
      await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("Small");
      await dialog.getByLabel("Model", { exact: true }).fill("tiny-2");
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.getByRole("listitem").filter({ hasText: "Small" }).getByText("In use").waitFor();
      await dialog.getByRole("button", { name: "Use OpenAI" }).click();
      await dialog.getByRole("button", { name: "Remove Small" }).click();
      await dialog.getByRole("button", { name: "Remove Small from config.toml?" }).click();
      await dialog.getByRole("listitem").filter({ hasText: "Small" }).waitFor({ state: "detached" });
      assert.deepEqual(screen.problems, []);
    });
  });
}

test("a server of local models that runs on this machine is offered, and used by one click", async () => {
  const provider = await openProvider();
  await using stage = await openStage({ offline: true });
  try {
    const screen = await stage.tab();
    const { page } = screen;
    await moveLocal(page, { from: "http://127.0.0.1:8000/v1", to: provider.url });
    await screen.button("Connect a model").click();
    const dialog = page.getByRole("dialog", { name: "Settings" });
    const row = dialog.getByRole("listitem").filter({ hasText: "vLLM" });
    await row.getByLabel("Model: vLLM").selectOption("tiny-2");
    await assertAccessible(page, "the settings of models");
    await row.getByRole("button", { name: "Use tiny-2 on vLLM" }).click();
    await dialog.getByRole("listitem").filter({ hasText: "vLLM" }).getByText("In use").waitFor();
    await page.keyboard.press("Escape");
    await screen.button("Model: tiny-2").waitFor();
    const written = readFileSync(join(stage.home, "..", "quire-home", "config.toml"), "utf8");
    assert.match(written, /model_provider = "vllm"[\s\S]*\[model_providers\.vllm\][\s\S]*127\.0\.0\.1:8000/);
    assert.deepEqual(screen.problems, []);
  } finally {
    await provider.close();
  }
});
