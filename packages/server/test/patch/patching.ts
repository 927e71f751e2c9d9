import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type TempDir, tempDir } from "@quire/testkit";
import { FakeThread } from "../tools/fake-context.ts";

/** A thread in a folder of its own, with files in it. */
export interface Patching extends AsyncDisposable {
  readonly thread: FakeThread;
  readonly path: string;
  /** Applies a patch given without its first and last line. */
  apply(body: string): Promise<string>;
  /** Why a patch was refused. */
  refused(body: string): Promise<string>;
  read(name: string): Promise<string>;
}

/** Sets it up. */
export async function patching(files: Readonly<Record<string, string | Uint8Array>>): Promise<Patching> {
  const dir: TempDir = await tempDir();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir.path, name)), { recursive: true });
    writeFileSync(join(dir.path, name), content);
  }
  const thread = new FakeThread(dir.path);
  const patch = (body: string) => `*** Begin Patch\n${body}\n*** End Patch`;
  return {
    thread,
    path: dir.path,
    apply: (body) => thread.call("apply_patch", patch(body), { kind: "custom" }),
    refused: (body) => thread.failure("apply_patch", patch(body), { kind: "custom" }),
    read: (name) => Bun.file(join(dir.path, name)).text(),
    [Symbol.asyncDispose]: async () => {
      await thread.toolbox.close();
      await dir.remove();
    },
  };
}
