import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ours, real } from "./lib/contestants.ts";
import { Stage } from "./lib/stage.ts";

const who = process.argv[2] === "ours" ? ours : real;
for (const mode of ["keyring", "auto", "ephemeral", "file", "nonsense"]) {
  await using stage = await Stage.open(who, {
    name: "x/x",
    covers: "",
    run: async () => {},
    setup: { config: { cli_auth_credentials_store: mode, model_provider: "openai" } },
  } as never);
  try {
    const peer = await stage.connect();
    console.log(mode, JSON.stringify(await peer.request("account/login/start", { type: "apiKey", apiKey: "sk-test" })));
    await peer.silence(300);
    console.log(
      JSON.stringify(
        stage.log
          .filter((m) => m.by === "server")
          .map((m) => m.message)
          .slice(1),
      ),
    );
    console.log(JSON.stringify(await peer.request("account/read", {})), existsSync(join(stage.home, "auth.json")));
    console.log(JSON.stringify(await peer.request("account/logout")), existsSync(join(stage.home, "auth.json")));
    console.log(JSON.stringify(await peer.request("account/read", {})));
  } catch (e) {
    console.log(mode, String(e));
  }
}
