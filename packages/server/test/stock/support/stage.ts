import { symlinkSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { codexVersion } from "@quire/protocol/version";
import {
  codexConfigToml,
  type ListeningServer,
  listen,
  type ModelMock,
  mockAnthropic,
  mockChat,
  mockGemini,
  mockResponses,
  type RealCodex,
  realCodex,
  reply,
  tempDir,
} from "@quire/testkit";

/** For tests that take two programs through many steps, on a machine with much else to do. */
export const patient: { readonly timeout: number } = { timeout: 180_000 };

/** Our server as a program. */
export const quire: string = join(import.meta.dirname, "..", "..", "..", "..", "cli", "bin", "quire");

/** A scripted model, and a home and a workspace for servers that use it. */
export interface Stage extends AsyncDisposable {
  readonly mock: ModelMock;
  /** Our command by the name of `codex`. */
  readonly codex: string;
  /** The environment of servers and clients. `codex` on its PATH is ours. */
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
  readonly cwd: string;
  /** What all processes of the stage carry in their environment. */
  readonly tag: string;
}

/** How a stage differs. */
export interface StageOptions {
  /** Default `on-request`. */
  readonly approvalPolicy?: string;
  /** Default `workspace-write`. */
  readonly sandboxMode?: string;
  /** The API of the model. Default `responses`. */
  readonly wire?: keyof typeof mocks;
}

const mocks = { responses: mockResponses, chat: mockChat, anthropic: mockAnthropic, gemini: mockGemini } as const;

/** Sets one up. The workspace is trusted, and the model makes plans. */
export async function stage(options: StageOptions = {}): Promise<Stage> {
  const { wire = "responses", approvalPolicy = "on-request", sandboxMode = "workspace-write" } = options;
  const mock: ModelMock = await mocks[wire]();
  // Clients ask for a title beside the turn; that takes nothing from a test's script.
  mock
    .when((request) => JSON.stringify(request.body.input.at(-1)).match(/task title|short title/) !== null)
    .always(reply().text('{"title":"A title"}'));
  const workspace = await tempDir("quire-stock-");
  const settings = {
    approvalPolicy,
    sandboxMode,
    // Keys come faster than anybody types, and are keys all the same.
    config: { "tools.update_plan.enabled": true, disable_paste_burst: true },
    toml: `[projects.${JSON.stringify(workspace.path)}]\ntrust_level = "trusted"\n`,
  };
  const codex: RealCodex = await realCodex(codexVersion, { ...settings, model: mock, cwd: workspace.path });
  const bin = join(codex.home, "..", "bin");
  await mkdir(bin);
  // Stock clients read Codex's home, and refuse what they do not know there.
  const ownHome = wire === "responses" ? undefined : join(codex.home, "..", "quire");
  if (ownHome !== undefined) {
    await mkdir(ownHome);
    const row = { "model_providers.mock.wire_api": wire, "model_providers.mock.experimental_bearer_token": "a-key" };
    const config = codexConfigToml({ ...settings, baseUrl: mock.url, config: { ...settings.config, ...row } });
    writeFileSync(join(ownHome, "config.toml"), config);
  }
  symlinkSync(quire, join(bin, "codex"));
  return {
    mock,
    codex: join(bin, "codex"),
    env: {
      ...codex.env,
      PATH: `${bin}${delimiter}${codex.env.PATH}`,
      ...(ownHome !== undefined && { QUIRE_HOME: ownHome }),
    },
    home: codex.home,
    cwd: workspace.path,
    tag: codex.tag,
    async [Symbol.asyncDispose]() {
      await codex[Symbol.asyncDispose]();
      await workspace.remove();
      await mock.close();
    },
  };
}

/** Starts our server on a port: any, or that of an earlier server. */
export function listening({ env, cwd }: Stage, port?: number): Promise<ListeningServer> {
  return listen({ command: quire, args: ["app-server"], env: { ...env }, cwd }, port);
}
