import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ServerNotifications } from "@quire/protocol";
import { codexConfigToml, type MockResponses, mockResponses, tempDir } from "@quire/testkit";
import { embedded } from "./embedded.ts";
import { Talk } from "./talk.ts";

const told: readonly (keyof ServerNotifications)[] = [
  "turn/started",
  "turn/completed",
  "item/completed",
  "thread/goal/updated",
  "thread/goal/cleared",
  "thread/queue/changed",
  "thread/readState/changed",
  "thread/project/updated",
  "project/changed",
];

/** A home with a scripted model, on which servers can be started one after the other. */
export interface House extends AsyncDisposable {
  readonly model: MockResponses;
  readonly home: string;
  /** Starts a server and connects to it; `end` ends it. */
  open(capabilities?: object): Promise<{ talk: Talk; other(): Promise<Talk>; end(): Promise<void> }>;
}

/** Makes one. */
export async function house(): Promise<House> {
  const folder = await tempDir("quire-organize-");
  const model = await mockResponses();
  writeFileSync(join(folder.path, "config.toml"), codexConfigToml({ baseUrl: model.url }));
  const ends: (() => Promise<void>)[] = [];
  return {
    model,
    home: folder.path,
    open: async (capabilities) => {
      const server = await embedded({ home: folder.path });
      const end = async () => server[Symbol.asyncDispose]();
      ends.push(end);
      return {
        talk: new Talk(await server.connect(capabilities), told),
        other: async () => new Talk(await server.connect(), told),
        end,
      };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(ends.map((end) => end()));
      await model.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Text as input. */
export const input = (text: string): object[] => [{ type: "text", text, text_elements: [] }];
