import type { Scenario } from "../../lib/scenario.ts";
import { requestEach } from "../../lib/steps.ts";

const shell = (script: string, more: object = {}) => ({ command: ["sh", "-c", script], ...more });
const base64 = (text: string) => Buffer.from(text).toString("base64");

/** The real sandbox puts a `.git` into folders that it opens; that of temporary files is everybody's. */
const ownFolder = { excludeSlashTmp: true, excludeTmpdirEnvVar: true };

/** Commands that a client runs without a thread. */
export const commandsExec: readonly Scenario[] = [
  {
    name: "command-exec/buffered",
    covers: "Output, exit codes, caps, timeouts, environment and sandbox of a command that a client runs",
    run: async (stage) => {
      const peer = await stage.connect();
      await requestEach(peer, "command/exec", [
        shell("echo out; echo err >&2; exit 3"),
        shell('echo "$FOO$HOME"', { env: { FOO: "1", HOME: null } }),
        shell("printf abcdef; printf uvwxyz >&2", { outputBytesCap: 3 }),
        shell("printf abc", { outputBytesCap: 0 }),
        // Long enough for the first words, on a busy machine too.
        shell("echo part; sleep 60", { timeoutMs: 3000 }),
        shell("kill -9 $$"),
        shell("kill -15 $$"),
        shell("cat; echo done"),
        shell("echo x > f.txt; echo $?; rm -f f.txt", { sandboxPolicy: { type: "dangerFullAccess" } }),
        shell("echo x 2>/dev/null > f.txt || echo no", { sandboxPolicy: { type: "readOnly" } }),
        shell("echo x > f.txt && echo yes; rm -f f.txt", { sandboxPolicy: { type: "workspaceWrite", ...ownFolder } }),
        shell("echo x", { sandboxPolicy: { type: "externalSandbox", networkAccess: "enabled" } }),
        shell("echo x", { permissionProfile: ":read-only" }),
      ]);
    },
  },
  {
    name: "command-exec/errors",
    covers: "What does not go together in a command is refused",
    run: async (stage) => {
      const peer = await stage.connect();
      await requestEach(peer, "command/exec", [
        {},
        { command: [] },
        { command: ["no-such-program"] },
        shell("true", { cwd: "/no/such" }),
        shell("true", { timeoutMs: 1, disableTimeout: true }),
        shell("true", { timeoutMs: -1 }),
        shell("true", { outputBytesCap: 1, disableOutputCap: true }),
        shell("true", { tty: true }),
        shell("true", { streamStdin: true }),
        shell("true", { streamStdoutStderr: true }),
        shell("true", { processId: "s", size: { rows: 1, cols: 1 } }),
        shell("true", { processId: "s", tty: true, size: { rows: 0, cols: 1 } }),
        shell("true", { sandboxPolicy: { type: "readOnly" }, permissionProfile: ":read-only" }),
      ]);
      await peer.request("command/exec/write", { processId: "none", closeStdin: true });
      await peer.request("command/exec/resize", { processId: "none", size: { rows: 1, cols: 1 } });
      await peer.request("command/exec/terminate", { processId: "none" });
    },
  },
  {
    name: "command-exec/streaming",
    covers: "Input and output of a running command, its end by a client",
    run: async (stage) => {
      const peer = await stage.connect();
      const processId = "cat";
      const cat = peer.begin("command/exec", {
        command: ["cat"],
        processId,
        streamStdin: true,
        streamStdoutStderr: true,
      });
      await requestEach(peer, "command/exec/write", [
        { processId },
        { processId, deltaBase64: "!!" },
        { processId, deltaBase64: Buffer.from([0xff, 0xfe, 0x6f]).toString("base64") },
      ]);
      await peer.waitFor("command/exec/outputDelta", () => true);
      await peer.request("command/exec/resize", { processId, size: { rows: 3, cols: 3 } });
      await peer.request("command/exec", { command: ["true"], processId });
      await peer.request("command/exec/write", { processId, closeStdin: true });
      await peer.reply(cat);
      await peer.request("command/exec/write", { processId, closeStdin: true });
      const sleep = peer.begin("command/exec", { command: ["sleep", "20"], processId: "sleep" });
      await peer.request("command/exec/write", { processId: "sleep", deltaBase64: base64("x") });
      await peer.request("command/exec/terminate", { processId: "sleep" });
      await peer.reply(sleep);
    },
  },
  {
    name: "command-exec/process",
    covers: "Processes: spawn, input, end, and what they tell",
    run: async (stage) => {
      const peer = await stage.connect();
      const { cwd } = stage;
      await requestEach(peer, "process/spawn", [
        { command: [], processHandle: "a", cwd },
        { command: ["true"], processHandle: "", cwd },
        { command: ["true"], processHandle: "a", cwd: "relative" },
        { command: ["no-such-program"], processHandle: "a", cwd },
        { command: ["true"], processHandle: "a", cwd, size: { rows: 1, cols: 1 } },
      ]);
      await peer.request("process/spawn", {
        ...shell("cat; exit 3"),
        processHandle: "b",
        cwd,
        streamStdin: true,
        streamStdoutStderr: true,
      });
      await peer.request("process/spawn", { command: ["true"], processHandle: "b", cwd });
      await peer.request("process/resizePty", { processHandle: "b", size: { rows: 1, cols: 1 } });
      await peer.request("process/writeStdin", { processHandle: "b" });
      await peer.request("process/writeStdin", { processHandle: "b", deltaBase64: base64("xyz"), closeStdin: true });
      await peer.waitFor("process/exited", ({ processHandle }) => processHandle === "b");
      await peer.request("process/kill", { processHandle: "b" });
      await peer.request("process/spawn", { command: ["sleep", "20"], processHandle: "k", cwd });
      await peer.request("process/writeStdin", { processHandle: "k", deltaBase64: base64("x") });
      await peer.request("process/kill", { processHandle: "k" });
      await peer.waitFor("process/exited", ({ processHandle }) => processHandle === "k");
    },
  },
];
