/** Attacks: an agent on the credentials of another. */
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPrivateHome } from "@quire/agent/runtime";
import { tempDir } from "@quire/testkit";
import { attack } from "@quire/testkit/attack";

attack(
  "finds the credentials of another agent among temporary files, where every command reads and writes",
  async (on) => {
    await using user = await tempDir("user-");
    mkdirSync(join(user.path, ".codex"));
    const login = join(user.path, ".codex/auth.json");
    writeFileSync(login, "{}");
    await using home = await createPrivateHome({ env: { HOME: user.path }, hermetic: true });
    // Where the copy was before.
    if (!on) copyFileSync(login, join(home.dir, "auth.json"));
    return readdirSync(home.dir, { recursive: true }).some((name) => String(name).endsWith("auth.json"));
  },
);
