/** Attacks: scripts of trusted projects. */
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { tempDir } from "@quire/testkit";
import { attack } from "@quire/testkit/attack";
import { testServer } from "../../support/test-server.ts";

/** How a configured program names the script that the attacker changes. */
interface Plot {
  /** A hook's command, or the arguments of an MCP server. */
  readonly command: string | readonly string[];
  /** Variables of an MCP server. */
  readonly env?: Readonly<Record<string, string>>;
  readonly script: string;
  /** Whether the script is there before; it is unless this is false. */
  readonly exists?: boolean;
  /** Other files that are there, and that nobody changes. */
  readonly files?: Readonly<Record<string, string>>;
  /** What the attacker writes; a shell script unless this is given. */
  evil?(ran: string): string;
  /** Replaces the script, or its folder, by a link to the attacker's, which lies in the project or outside. */
  readonly link?: "inside" | "outside" | "folder";
  /** Whether the user's own configuration names it, not the project's. */
  readonly ofUser?: boolean;
}

/** Changes a script before the user trusts what runs it, or after. Gives whether the changed one ran. */
async function changed(plot: Plot, guarded: boolean): Promise<boolean> {
  await using folder = await tempDir("quire-scripts-");
  const root = join(folder.path, "repo");
  const home = join(folder.path, "home");
  const put = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode: 0o755 });
  };
  put(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
  mkdirSync(join(root, "pkg"));
  mkdirSync(home);
  const script = join(root, plot.script);
  if (plot.exists !== false) put(script, plot.evil?.("") ?? "#!/bin/sh\ntrue\n");
  for (const [path, text] of Object.entries(plot.files ?? {})) put(join(root, path), text);
  const ran = join(folder.path, "ran");
  const evil = plot.evil?.(ran) ?? `#!/bin/sh\ntouch ${ran}\n`;
  const plant = () => {
    if (!plot.link) return put(script, evil);
    const own = join(plot.link === "inside" ? root : folder.path, "evil", basename(script));
    const replaced = plot.link === "folder" ? dirname(script) : script;
    put(own, evil);
    rmSync(replaced, { recursive: true });
    symlinkSync(plot.link === "folder" ? dirname(own) : own, replaced);
  };
  const config = plot.ofUser ? home : join(root, ".codex");
  const { command, env = {} } = plot;
  if (typeof command === "string") {
    const hooks = { SessionStart: [{ hooks: [{ type: "command", command }] }] };
    put(join(config, "hooks.json"), JSON.stringify({ hooks }));
  } else {
    const [program, ...args] = command;
    const variables = Object.entries(env).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
    const row = `command = ${JSON.stringify(program)}\nargs = ${JSON.stringify(args)}\nenv = { ${variables.join(", ")} }\n`;
    put(join(config, "config.toml"), `[mcp_servers.x]\n${row}`);
  }
  if (!guarded) plant();
  await using server = await testServer({ home });
  const client = server.client;
  const write = (keyPath: string, value: unknown) =>
    client.request("config/value/write", { keyPath, value, mergeStrategy: "upsert" });
  await write(`projects.${JSON.stringify(root)}.trust_level`, "trusted");
  const cwd = root;
  const { data } = await client.request("hooks/list", { cwds: [cwd] });
  const states = data[0].hooks.map((hook: { key: string; currentHash: string }) => [
    hook.key,
    { trusted_hash: hook.currentHash },
  ]);
  if (states.length > 0) await write("hooks.state", Object.fromEntries(states));
  if (guarded) plant();
  const threadId = await client.thread({ cwd });
  if (typeof command === "string") await client.turn(threadId);
  else await client.request("mcpServerStatus/list", { threadId });
  return existsSync(ran);
}

const bun = process.execPath;

attack("changes a script that a trusted hook runs", (guarded) =>
  changed({ command: "./scripts/x.sh", script: "scripts/x.sh" }, guarded),
);
attack("changes a script that a trusted hook hands to a shell", (guarded) =>
  changed({ command: "sh scripts/x.sh --fast", script: "scripts/x.sh" }, guarded),
);
attack("changes a script that a trusted hook finds from the repository's root", (guarded) =>
  changed({ command: 'R="$PWD"; sh "$R/.codex/hooks/x.sh"', script: ".codex/hooks/x.sh" }, guarded),
);
attack("changes a script that a trusted hook runs after a cd", (guarded) =>
  changed({ command: "cd tools && ./x.sh", script: "tools/x.sh" }, guarded),
);
attack("changes a script whose name has a space and that a trusted hook runs", (guarded) =>
  changed({ command: 'sh "my tools/x.sh"', script: "my tools/x.sh" }, guarded),
);
attack("makes a script that a trusted hook would run if it were there", (guarded) =>
  changed({ command: "./scripts/x.sh || true", script: "scripts/x.sh", exists: false }, guarded),
);
attack("replaces a script of a trusted hook by a link to its own", (guarded) =>
  changed({ command: "./scripts/x.sh", script: "scripts/x.sh", link: "inside" }, guarded),
);
attack("replaces a script of a trusted hook by a link that leads out of the project", (guarded) =>
  changed({ command: "./scripts/x.sh", script: "scripts/x.sh", link: "outside" }, guarded),
);
attack("replaces the folder of a trusted hook's script by a link that leads out of the project", (guarded) =>
  changed({ command: "./scripts/x.sh", script: "scripts/x.sh", link: "folder" }, guarded),
);
attack("changes a script of the project that a hook of the user's runs", (guarded) =>
  changed({ command: "./scripts/x.sh", script: "scripts/x.sh", ofUser: true }, guarded),
);
attack("changes the program of a trusted MCP server", (guarded) =>
  changed({ command: ["./bin/server.sh"], script: "bin/server.sh" }, guarded),
);
attack("changes the script of a trusted MCP server", (guarded) =>
  changed({ command: ["sh", "bin/server.sh"], script: "bin/server.sh" }, guarded),
);
attack("changes a script within the shell command of a trusted MCP server", (guarded) =>
  changed({ command: ["sh", "-c", "exec ./bin/server.sh --stdio"], script: "bin/server.sh" }, guarded),
);
attack("changes a file that a variable has a trusted MCP server load", (guarded) =>
  changed({ command: ["bash", "-c", "true"], env: { BASH_ENV: "./env.sh" }, script: "env.sh" }, guarded),
);
attack("changes a script of the project that an MCP server of the user's runs", (guarded) =>
  changed({ command: ["sh", "bin/server.sh"], script: "bin/server.sh", ofUser: true }, guarded),
);
attack("changes a file that the script of a trusted MCP server sources", (guarded) =>
  changed(
    { command: ["sh", "bin/server.sh"], files: { "bin/server.sh": ". ./bin/lib.sh\n" }, script: "bin/lib.sh" },
    guarded,
  ),
);
attack("changes a script that a trusted hook's script runs from its own folder", (guarded) =>
  changed(
    {
      command: "sh scripts/x.sh",
      files: { "scripts/x.sh": '"$(dirname "$0")/inner.sh"\n' },
      script: "scripts/inner.sh",
    },
    guarded,
  ),
);
attack("changes a module that a module of a trusted MCP server imports", (guarded) =>
  changed(
    {
      command: [bun, "server.js"],
      files: { "server.js": 'import "./lib/a";\n', "lib/a.js": 'export * from "./b.js";\n' },
      script: "lib/b.js",
      evil: (ran) => (ran ? `require("node:fs").writeFileSync("${ran}", "");\n` : ""),
    },
    guarded,
  ),
);
attack("changes the script of package.json that a trusted hook has a package manager run", (guarded) =>
  changed(
    {
      command: `${bun} run --silent check`,
      script: "package.json",
      evil: (ran) => JSON.stringify({ scripts: { check: ran ? `touch ${ran}` : "true" } }),
    },
    guarded,
  ),
);
attack("changes a script that package.json names and a trusted hook has run", (guarded) =>
  changed(
    {
      command: `${bun} run --silent check`,
      files: { "package.json": JSON.stringify({ scripts: { check: "sh tools/check.sh" } }) },
      script: "tools/check.sh",
    },
    guarded,
  ),
);
attack("has the interpreter of a trusted MCP server load a file first by bunfig.toml", (guarded) =>
  changed(
    {
      command: [bun, "server.js"],
      files: { "server.js": "\n", "evil.js": 'require("node:fs").writeFileSync(process.env.RAN, "");\n' },
      env: { RAN: "../ran" },
      script: "bunfig.toml",
      exists: false,
      evil: () => 'preload = ["./evil.js"]\n',
    },
    guarded,
  ),
);
attack("plants a program in node_modules/.bin that a trusted hook finds there", (guarded) =>
  changed(
    {
      command: 'PATH="$PWD/node_modules/.bin:$PATH"; checker || true',
      script: "node_modules/.bin/checker",
      exists: false,
    },
    guarded,
  ),
);
