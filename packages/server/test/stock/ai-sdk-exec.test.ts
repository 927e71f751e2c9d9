/** The AI SDK's other providers for Codex: versions and modes beside those of `ai-sdk.test.ts`. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { eventually, type Reply, reply } from "@quire/testkit";
import { clientFile, skipWithoutClient } from "./support/client.ts";
import { patient, stage, stepMs } from "./support/stage.ts";

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly delta?: string;
}

interface Provider {
  (
    model: string,
  ): {
    doGenerate(options: object): Promise<{ content: Part[] }>;
    doStream(options: object): Promise<{ stream: AsyncIterable<Part> }>;
  };
  close?(): Promise<void>;
}

const modes = [
  ["ai-sdk-provider-codex-cli", "createCodexExec"],
  ["ai-sdk-provider-codex-cli-v1", "createCodexExec"],
  ["ai-sdk-provider-codex-cli-v1", "createCodexAppServer"],
  ["ai-sdk-provider-codex-app-server", "createCodexAppServer"],
] as const;

/** True for the clients that let us choose how long they wait for a reply; the others refuse the setting. */
const waits = (name: string, create: string): boolean =>
  name.startsWith("ai-sdk-provider-codex-cli") && create === "createCodexAppServer";

const textOf = (parts: readonly Part[]) => parts.map(({ text, delta }) => text ?? delta ?? "").join("");

for (const [name, create] of modes) {
  describe(`${create} of ${name}`, { skip: skipWithoutClient(name) }, () => {
    test("a program generates text, streams it, and gets JSON that fits a schema", patient, async () => {
      await using set = await stage({ approvalPolicy: "never" });
      // The app-server's client listens only once it has read the reply of turn/start: the model waits for that.
      let session: { readonly turnId: string | null } | undefined;
      const heard = (answer: Reply) => async () => {
        await eventually(() => session === undefined || session.turnId !== null, { timeoutMs: stepMs });
        return answer;
      };
      const make = (await import(pathToFileURL(clientFile(name) ?? "").href))[create] as (options: object) => Provider;
      const provider = make({
        defaultSettings: {
          codexPath: set.codex,
          cwd: set.cwd,
          env: set.env,
          logger: false,
          ...(name === "ai-sdk-provider-codex-app-server" && {
            onSessionCreated: (created: typeof session) => {
              session = created;
            },
          }),
          ...(waits(name, create) && { requestTimeoutMs: stepMs }),
          ...(create === "createCodexExec" && { skipGitRepoCheck: true, sandboxMode: "workspace-write" }),
        },
      });
      const model = provider("mock-model");
      const ask = (text: string) => ({ prompt: [{ role: "user", content: [{ type: "text", text }] }] });
      try {
        set.mock.script(heard(reply().functionCall("exec_command", { cmd: "echo 2" })), reply().text("Two."));
        const { content } = await model.doGenerate(ask("how many"));
        assert.match(textOf(content.filter(({ type }) => type === "text")), /Two\.$/);

        set.mock.script(heard(reply().text("Streamed.", { chunks: 3 })));
        const parts = await Array.fromAsync((await model.doStream(ask("stream"))).stream);
        assert.equal(textOf(parts.filter(({ type }) => type === "text-delta")), "Streamed.");
        assert.equal(parts.at(-1)?.type, "finish");

        set.mock.script(heard(reply().text('{"n":3}')));
        const schema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
        const json = await model.doGenerate({ ...ask("json"), responseFormat: { type: "json", schema } });
        assert.equal(textOf(json.content), '{"n":3}');
      } finally {
        await provider.close?.();
      }
    });
  });
}
