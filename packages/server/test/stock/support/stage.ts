import { symlinkSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { codexVersion } from "@quire/protocol/version";
import {
  type ListeningServer,
  listen,
  type MockResponses,
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
  readonly mock: MockResponses;
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
}

/** Sets one up. The workspace is trusted, and the model makes plans. */
export async function stage(options: StageOptions = {}): Promise<Stage> {
  const mock = await mockResponses();
  // Clients ask for a title beside the turn; that takes nothing from a test's script.
  mock
    .when((request) => JSON.stringify(request.body.input.at(-1)).match(/task title|short title/) !== null)
    .always(reply().text('{"title":"A title"}'));
  const workspace = await tempDir("quire-stock-");
  const codex: RealCodex = await realCodex(codexVersion, {
    model: mock,
    cwd: workspace.path,
    approvalPolicy: options.approvalPolicy ?? "on-request",
    sandboxMode: options.sandboxMode ?? "workspace-write",
    // Keys come faster than anybody types, and are keys all the same.
    config: { "tools.update_plan.enabled": true, disable_paste_burst: true },
    toml: `[projects.${JSON.stringify(workspace.path)}]\ntrust_level = "trusted"\n`,
  });
  const bin = join(codex.home, "..", "bin");
  await mkdir(bin);
  symlinkSync(quire, join(bin, "codex"));
  return {
    mock,
    codex: join(bin, "codex"),
    env: { ...codex.env, PATH: `${bin}${delimiter}${codex.env.PATH}` },
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
