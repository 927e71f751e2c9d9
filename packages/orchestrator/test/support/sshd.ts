import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { descendants, eventually, tempDir } from "@quire/testkit";

const program = "/usr/sbin/sshd";

/** Why no server can be started here; undefined where one can. */
export const withoutSshd: string | undefined = existsSync(program)
  ? undefined
  : "sshd is not installed: run scripts/setup.ts as root, or install openssh-server";

/** Servers of OpenSSH on this machine, each like a host of its own with another home. */
export interface SshHosts extends AsyncDisposable {
  readonly path: string;
  /** Names for `worker.ssh_hosts`. */
  readonly names: readonly string[];
  /** Homes of the hosts. */
  readonly homes: readonly string[];
  /** Configuration for `QUIRE_SSH_CONFIG`. */
  readonly config: string;
  /** Ends a host's server and all connections to it, as a network that fails does; what runs there is not ended. */
  cut(index: number): Promise<void>;
  /** Starts the server of a host that was cut. */
  mend(index: number): Promise<void>;
}

/** Starts so many hosts. */
export async function sshHosts(count: number): Promise<SshHosts> {
  const dir = await tempDir("quire-sshd-");
  const key = (name: string) => {
    const path = join(dir.path, name);
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", path]);
    return path;
  };
  const [host, own] = [key("host_key"), key("own_key")];
  const ports = await freePorts(count);
  const homes = ports.map((_, index) => join(dir.path, `home-${index}`));
  for (const home of homes) mkdirSync(home, { mode: 0o700 });
  // The folder of its unprivileged part, which a service's start would make.
  if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true, mode: 0o755 });
  writeFileSync(join(dir.path, "authorized_keys"), readFileSync(`${own}.pub`), { mode: 0o600 });
  const [type, value] = readFileSync(`${host}.pub`, "utf8").split(" ");
  writeFileSync(join(dir.path, "known_hosts"), ports.map((port) => `[127.0.0.1]:${port} ${type} ${value}\n`).join(""));
  const config = join(dir.path, "config");
  writeFileSync(
    config,
    `Host *\n  IdentityFile ${own}\n  IdentitiesOnly yes\n  UserKnownHostsFile ${join(dir.path, "known_hosts")}\n  StrictHostKeyChecking yes\n`,
  );
  const servers: ChildProcess[] = [];

  async function start(index: number): Promise<void> {
    const settings = join(dir.path, `sshd-${index}`);
    writeFileSync(
      settings,
      [
        `Port ${ports[index]}`,
        "ListenAddress 127.0.0.1",
        `HostKey ${host}`,
        `AuthorizedKeysFile ${join(dir.path, "authorized_keys")}`,
        "StrictModes no",
        "UsePAM no",
        "PasswordAuthentication no",
        "PidFile none",
        "MaxStartups 200",
        "LogLevel ERROR",
        `SetEnv HOME=${homes[index]} BUN_PATH=${process.execPath}`,
        "",
      ].join("\n"),
    );
    const server = spawn(program, ["-D", "-e", "-f", settings], { stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    server.stderr?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    servers[index] = server;
    const args = ["-F", config, "-p", String(ports[index]), "-o", "BatchMode=yes", "127.0.0.1", "true"];
    await eventually(
      () => {
        if (server.exitCode !== null) throw new Error(`sshd ended: ${said}`);
        return Bun.spawnSync(["ssh", ...args], { stderr: "ignore" }).exitCode === 0;
      },
      { what: "sshd to answer", timeoutMs: 20_000 },
    );
  }

  async function cut(index: number): Promise<void> {
    const server = servers[index];
    if (server?.pid === undefined) return;
    const connections = (await descendants(server.pid)).filter(({ command }) => command.startsWith("sshd"));
    for (const pid of [server.pid, ...connections.map((each) => each.pid)]) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has gone.
      }
    }
  }

  for (const index of ports.keys()) await start(index);
  return {
    path: dir.path,
    names: ports.map((port) => `127.0.0.1:${port}`),
    homes,
    config,
    cut,
    mend: start,
    async [Symbol.asyncDispose]() {
      for (const index of ports.keys()) await cut(index);
      await dir.remove();
    },
  };
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((done) => {
          server.listen(0, "127.0.0.1", () => done((server.address() as { port: number }).port));
        }),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports;
}
