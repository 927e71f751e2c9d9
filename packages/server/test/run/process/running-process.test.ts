import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readlinkSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { assertNoProcesses, eventually, tempDir } from "@quire/testkit";
import { killOwned, startOwned } from "../../../src/run/process/process-table.ts";

const env = { PATH: process.env.PATH ?? "" };

/** Starts a script and gathers what it says. */
function start(script: string, options: { tty?: boolean; stdin?: boolean; cwd?: string; owner?: string } = {}) {
  const chunks: Uint8Array[] = [];
  const process = startOwned(options.owner ?? "test", {
    argv: ["/bin/bash", "-c", script],
    cwd: options.cwd ?? "/",
    env,
    tty: options.tty ? { cols: 100, rows: 30 } : undefined,
    stdin: options.stdin,
    onOutput: (bytes) => void chunks.push(bytes),
  });
  return { process, text: () => Buffer.concat(chunks).toString() };
}

describe("processes", () => {
  test("exit codes and signals are told as a shell tells them", async () => {
    assert.deepEqual(await start("exit 7").process.exited, { code: 7, signal: null });
    assert.deepEqual(await start("kill -9 $$").process.exited, { code: 137, signal: "SIGKILL" });
    assert.deepEqual(await start("kill -TERM $$", { tty: true }).process.exited, { code: 143, signal: "SIGTERM" });
  });

  test("stdin can be a pipe that is written and closed", async () => {
    const { process, text } = start("cat; echo end", { stdin: true });
    await process.write("one\n");
    await process.write("two\n");
    await process.closeStdin();
    assert.equal((await process.exited).code, 0);
    assert.equal(text(), "one\ntwo\nend\n");
  });

  test("a command can open its own outputs, and both come in the order they were written", async () => {
    const script = "for i in 1 2 3 4 5; do echo out $i; echo err $i >&2; echo dev $i > /dev/stderr; done";
    const { process, text } = start(script);
    await process.exited;
    assert.equal(text(), [1, 2, 3, 4, 5].map((i) => `out ${i}\nerr ${i}\ndev ${i}\n`).join(""));
  });

  test("error output can be told apart", async () => {
    const heard = { stdout: "", stderr: "" };
    const process = startOwned("test", {
      argv: ["/bin/sh", "-c", "echo out; echo err >&2"],
      cwd: "/",
      env,
      separate: true,
      onOutput: (bytes, from) => {
        heard[from] += Buffer.from(bytes).toString();
      },
    });
    await process.exited;
    assert.deepEqual(heard, { stdout: "out\n", stderr: "err\n" });
  });

  test("no descriptor stays open", { skip: process.platform !== "linux" }, async () => {
    const open = () => readdirSync("/proc/self/fd").length;
    await start("true", { stdin: true }).process.exited;
    const before = open();
    for (let n = 0; n < 20; n++) await start("cat; echo x >&2", { stdin: n % 2 === 0 }).process.kill();
    await eventually(() => open() <= before);
    assert.throws(() => startOwned("test", { argv: ["/no/such"], cwd: "/", env, onOutput: () => undefined }), /ENOENT/);
    await eventually(() => open() <= before);
  });

  test("writing to a process that is gone is no error", async () => {
    const { process } = start("exit 0", { stdin: true });
    await process.exited;
    await process.write("too late");
    await process.closeStdin();
  });

  test("a terminal has a size that can change, and an end of input", async () => {
    const { process, text } = start("stty size; read x; stty size; cat", { tty: true });
    await eventually(() => text().includes("30 100"));
    process.resize(120, 40);
    await process.write("go\n");
    await eventually(() => text().includes("40 120"));
    await process.closeStdin();
    assert.equal((await process.exited).code, 0);
  });

  test("a reader that waits makes the command wait", async () => {
    await using dir = await tempDir();
    const gate = Promise.withResolvers<void>();
    let taken = 0;
    const process = startOwned("test", {
      argv: ["/bin/bash", "-c", "head -c 20000000 /dev/zero; touch done"],
      cwd: dir.path,
      env,
      onOutput: (bytes) => {
        taken += bytes.length;
        return gate.promise;
      },
    });
    await eventually(() => taken > 0);
    assert.equal(await Bun.file(join(dir.path, "done")).exists(), false);
    gate.resolve();
    await process.exited;
    assert.equal(taken, 20_000_000);
  });

  test("killing takes along what left the group and lost its parent", async () => {
    await using dir = await tempDir();
    const mark = crypto.randomUUID();
    const script = `export QUIRE_TEST_MARK=${mark}; (setsid bash -c 'trap "" TERM; touch up; exec sleep 1000' &) ; (exec sleep 1000 &); sleep 1000`;
    const { process } = start(script, { cwd: dir.path, owner: mark });
    await eventually(() => Bun.file(join(dir.path, "up")).exists());
    await process.kill();
    await assertNoProcesses({ tag: `QUIRE_TEST_MARK=${mark}` });
  });

  test("what a command leaves in the background lives on until its owner ends, also without session and environment", {
    skip: process.platform !== "linux",
  }, async () => {
    await using dir = await tempDir();
    const owner = crypto.randomUUID();
    const { process } = start("env -i setsid sh -c 'touch up; sleep 1000; :' & exit 4", { cwd: dir.path, owner });
    assert.equal((await process.exited).code, 4);
    await eventually(() => Bun.file(join(dir.path, "up")).exists());
    assert.notEqual(processesIn(dir.path).length, 0);
    await killOwned(owner);
    assert.deepEqual(processesIn(dir.path), []);
  });

  test("a program that cannot be executed says so", { skip: process.platform !== "linux" }, async () => {
    await using dir = await tempDir();
    await writeFile(join(dir.path, "broken"), "#!/no/such/interpreter\n", { mode: 0o755 });
    let said = "";
    const onOutput = (bytes: Uint8Array) => {
      said += Buffer.from(bytes).toString();
    };
    const started = startOwned("test", { argv: ["./broken"], cwd: dir.path, env, onOutput });
    assert.equal((await started.exited).code, 126);
    assert.equal(said, "the program cannot be executed\n");
  });

  test("one owner's processes end without those of another", async () => {
    const [mine, yours] = [crypto.randomUUID(), crypto.randomUUID()];
    const a = start("sleep 1000 & sleep 1000", { owner: mine });
    const b = start("sleep 1000", { owner: yours });
    await killOwned(mine);
    assert.equal((await a.process.exited).signal, "SIGTERM");
    assert.equal(b.process.done, false);
    await killOwned(yours);
    assert.equal(b.process.done, true);
  });
});

describe("a server that is gone", () => {
  // The last is for a server that was never asked; its processes have left session and environment.
  for (const ending of ["killOwned", "exit", "SIGKILL"]) {
    test(`by ${ending} leaves no process behind`, async () => {
      await using dir = await tempDir();
      const mark = crypto.randomUUID();
      const script = `export QUIRE_TEST_MARK=${mark}; setsid bash -c 'touch up; exec sleep 1000' & sleep 1000`;
      // Its folder is all by which it can still be found.
      const hidden = "env -i setsid sh -c 'touch hidden; sleep 1000; :' & sleep 1000";
      const program = `
        import { killOwned, startOwned } from ${JSON.stringify(join(import.meta.dirname, "../../../src/run/process/process-table.ts"))};
        for (const script of ${JSON.stringify([script, hidden])}) for (const tty of [undefined, { cols: 80, rows: 24 }]) {
          startOwned("t", { argv: ["/bin/bash", "-c", script], cwd: ${JSON.stringify(dir.path)}, env: { PATH: process.env.PATH }, tty, onOutput: () => {} });
        }
        process.on("SIGTERM", async () => { ${ending === "killOwned" ? 'await killOwned("t");' : ""} process.exit(3); });
        console.log("ready");
        setInterval(() => {}, 1000);
      `;
      const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
      await once(child.stdout, "data");
      for (const name of ["up", "hidden"]) await eventually(() => Bun.file(join(dir.path, name)).exists());
      child.kill(ending === "SIGKILL" ? ending : "SIGTERM");
      const [code] = await once(child, "exit");
      assert.equal(code, ending === "SIGKILL" ? null : 3);
      await assertNoProcesses({ tag: `QUIRE_TEST_MARK=${mark}` });
      if (process.platform === "linux") await eventually(() => processesIn(dir.path).length === 0);
    });
  }
});

/** Processes with this working folder. */
function processesIn(folder: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      return false;
    }
  });
}
