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
  type RecordedRequest,
  realCodex,
  reply,
  tempDir,
} from "@quire/testkit";

/** For tests that take two programs through many steps, on a machine with much else to do. Only a bug reaches it. */
export const patient: { readonly timeout: number } = { timeout: 600_000 };

/** Timeout of one step, for our waits and for those of clients that let us choose. Their own are set for idle machines. */
export const stepMs = 120_000;

/** Our server as a program. */
export const quire: string = join(import.meta.dirname, "..", "..", "..", "..", "cli", "bin", "quire");

/** A scripted model, and a home and a workspace for servers that use it. */
export interface Stage extends AsyncDisposable {
  readonly mock: ModelMock;
  /** The newest request of a turn. A client may ask for a title at any time beside it. */
  readonly last: RecordedRequest;
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

const asksForTitle = ({ body }: RecordedRequest): boolean =>
  /task title|short title/.test(JSON.stringify(body.input.at(-1)));

/** Sets one up. The workspace is trusted, and the model makes plans. */
export async function stage(options: StageOptions = {}): Promise<Stage> {
  const { wire = "responses", approvalPolicy = "on-request", sandboxMode = "workspace-write" } = options;
  const mock: ModelMock = await mocks[wire]();
  // That takes nothing from a test's script.
  mock.when(asksForTitle).always(reply().text('{"title":"A title"}'));
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
    get last() {
      const last = mock.requests.findLast((request) => !asksForTitle(request));
      if (last === undefined) throw new Error("The model was not asked anything yet");
      return last;
    },
    codex: join(bin, "codex"),
    env: {
      ...codex.env,
      PATH: `${bin}${delimiter}${codex.env.PATH}`,
      // A server that lasts half a minute would build a bundle in a home that is about to go.
      CI: "true",
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
