/** Attacks: trackers and credentials. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Redactor, systemClock } from "@quire/agent/runtime";
import { EventBus, type Issue, type OrchestratorEvent, trackerAdapters } from "@quire/orchestrator";
import { tempDir } from "@quire/testkit";
import { attack } from "@quire/testkit/attack";
import { parse } from "yaml";
import { childEnvironment } from "../../src/scheduler/child-environment.ts";
import { Bd } from "../../src/trackers/beads/bd.ts";
import { checkMutations } from "../../src/trackers/linear/tool-scope.ts";
import { parseWorkflowSource } from "../../src/workflow/front-matter.ts";
import { issueOf } from "../support/memory-tracker.ts";
import { useTool } from "../support/tracker-under-test.ts";

const token = "ghp_0123456789abcdef";

/** The environment of an agent whose orchestrator has this one. */
function environment(guarded: boolean, env: Record<string, string>, secrets: readonly string[] = []) {
  const tracker = { secretEnvNames: [], secrets };
  return guarded
    ? childEnvironment({ env, runId: "r", issue: issueOf("A"), quire: undefined, tracker, root: "/ws" })
    : env;
}

attack("reads the credential from a variable of another name", (guarded) =>
  JSON.stringify(environment(guarded, { OLD_NAME: token }, [token])).includes(token),
);
attack("reads the credential of a tracker that is not used", (guarded) =>
  JSON.stringify(environment(guarded, { LINEAR_API_KEY: token })).includes(token),
);
attack("runs a planted program by a relative entry of PATH", async (guarded) => {
  await using dir = await tempDir();
  mkdirSync(join(dir.path, "bin"));
  writeFileSync(join(dir.path, "bin", "planted"), "#!/bin/sh\necho ran\n");
  chmodSync(join(dir.path, "bin", "planted"), 0o755);
  const env = environment(guarded, { PATH: `bin:${process.env.PATH}` });
  const said = execFileSync("/bin/sh", ["-c", "planted 2>/dev/null || true"], { cwd: dir.path, env: { ...env } });
  return said.toString() === "ran\n";
});

/** What a program of beads does and sees that an agent planted, by ours or as any program would start it. */
async function planted(guarded: boolean, entry: (folder: string) => string): Promise<string> {
  await using dir = await tempDir();
  const [folder, own] = [join(dir.path, "work"), join(dir.path, "own")];
  for (const [path, who] of [
    [join(folder, "bin"), "planted"],
    [own, "own"],
  ] as const) {
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, "bd"), `#!/bin/sh\necho '[]'; echo ${who} "$GITHUB_TOKEN" > '${dir.path}/ran'\n`, {
      mode: 0o755,
    });
  }
  const env = { PATH: `${entry(folder)}:${own}:/usr/bin:/bin`, GITHUB_TOKEN: token };
  if (guarded) await new Bd({ folder, command: "bd", assignee: null }, env).list(["list"]);
  else execFileSync("/bin/sh", ["-c", "bd list"], { cwd: folder, env });
  return readFileSync(join(dir.path, "ran"), "utf8");
}

attack("runs a bd of the folder of beads by a relative entry of PATH", async (guarded) =>
  (await planted(guarded, () => "bin")).includes("planted"),
);
attack("runs a bd of the folder of beads, which is on PATH", async (guarded) =>
  (await planted(guarded, (folder) => join(folder, "bin"))).includes("planted"),
);
attack("reads the credential of another tracker as a program of beads", async (guarded) =>
  (await planted(guarded, () => "/nowhere")).includes(token),
);

type Answer = (request: Request) => Response;

/** A server that answers as it is told, and notes the credentials that it was sent. */
function listening(answer: Answer) {
  const seen: (string | null)[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      seen.push(request.headers.get("authorization"));
      return answer(request);
    },
  });
  return { seen, url: `http://127.0.0.1:${server.port}`, [Symbol.asyncDispose]: () => server.stop(true) };
}

const githubAt = (url: string, provider: object = {}) =>
  trackerAdapters.github?.create(
    {
      kind: "github",
      provider: { repo: "o/n", api_url: url, ...provider },
      requiredLabels: [],
      activeStates: ["open"],
      terminalStates: ["closed"],
    },
    { baseDir: "/", env: { GITHUB_TOKEN: token }, log: () => {} },
  );

/** What a client did that follows every address it is given. */
async function follow(url: string, next: (response: Response) => string | null): Promise<void> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` }, redirect: "manual" });
  const to = next(response);
  if (to !== null) await fetch(to, { headers: { authorization: `Bearer ${token}` } });
}

/** Answers with an address of another host; says whether that was sent the credential. */
async function leadsAway(guarded: boolean, header: (to: string) => ResponseInit): Promise<boolean> {
  await using other = listening(() => Response.json([]));
  await using api = listening(() => Response.json([], header(other.url)));
  const read = (response: Response) =>
    response.headers.get("location") ?? /<(.*)>/.exec(response.headers.get("link") ?? "")?.[1] ?? null;
  if (guarded)
    await githubAt(api.url)
      ?.fetchIssuesByStates(["open"])
      .catch(() => undefined);
  else await follow(api.url, read);
  return other.seen.some((sent) => sent?.includes(token));
}

attack("takes the credential by a redirect to another host", (guarded) =>
  leadsAway(guarded, (to) => ({ status: 302, headers: { location: to } })),
);
attack("takes the credential by a permanent redirect", (guarded) =>
  leadsAway(guarded, (to) => ({ status: 308, headers: { location: to } })),
);
attack("takes the credential by a next page on another host", (guarded) =>
  leadsAway(guarded, (to) => ({ headers: { link: `<${to}>; rel="next"` } })),
);

/** Has a server repeat the credential; says whether it is in what the agent or the log is given. */
async function repeats(guarded: boolean, ask: (url: string) => Promise<string>): Promise<boolean> {
  await using api = listening((request) =>
    Response.json({ message: `Bad credentials: ${request.headers.get("authorization")}` }, { status: 401 }),
  );
  const plain = async () => (await fetch(api.url, { headers: { authorization: `Bearer ${token}` } })).text();
  return (guarded ? await ask(api.url) : await plain()).includes(token);
}

attack("gets the credential by an answer that repeats it", (guarded) =>
  repeats(guarded, async (url) => {
    const tools = githubAt(url)?.tools({ issue: issueOf("1"), workspace: "/w" }) ?? [];
    return (await useTool(tools, "github_api", { method: "GET", path: "/repos/o/n/issues" })).text;
  }),
);
attack("gets the credential into the log by an error that repeats it", (guarded) =>
  repeats(guarded, async (url) => {
    const failed = await githubAt(url)
      ?.fetchIssuesByStates(["open"])
      .catch((error: Error) => error.message);
    return String(failed);
  }),
);
attack("gets the credential into the log by broken YAML around it", (guarded) => {
  const yaml = `token: ${token}\n  x: y: z`;
  try {
    if (guarded) parseWorkflowSource(`---\n${yaml}\n---\n`);
    else parse(yaml);
  } catch (error) {
    return (error as Error).message.includes(token);
  }
  return false;
});
attack("gets a password into the log by an address that holds it", (guarded) => {
  const url = `ftp://me:${token}@api.example`;
  try {
    if (!guarded) throw new Error(`api_url is "${url}"`);
    githubAt(url);
  } catch (error) {
    return (error as Error).message.includes(token);
  }
  return false;
});
attack("gets a variable's value into the log by a setting that names it", (guarded) => {
  try {
    if (!guarded) throw new Error(`api_url is "${token}"`);
    githubAt("$GITHUB_TOKEN");
  } catch (error) {
    return (error as Error).message.includes(token);
  }
  return false;
});
attack("gets the credential into the log by saying it", (guarded) => {
  const bus = new EventBus(systemClock, new Redactor(guarded ? [token] : []));
  const told: OrchestratorEvent[] = [];
  bus.subscribe((event) => told.push(event));
  bus.log("warn", `malformed line: ${token}`, { error: token });
  return JSON.stringify(told).includes(token);
});

/** Asks GitHub in the host's name as an agent that works on issue 1; says whether GitHub was asked. */
async function reaches(guarded: boolean, method: string, path: string): Promise<boolean> {
  await using api = listening(() => Response.json({}));
  const tools = githubAt(api.url, guarded ? {} : { tool_scope: "any" })?.tools({
    issue: issueOf("1"),
    workspace: "/w",
  });
  await useTool(tools ?? [], "github_api", { method, path, ...(method !== "GET" && { body: {} }) });
  return api.seen.length > 0;
}

attack("merges a pull request in the host's name", (guarded) => reaches(guarded, "PUT", "/repos/o/n/pulls/2/merge"));
attack("approves a pull request in the host's name", (guarded) =>
  reaches(guarded, "POST", "/repos/o/n/pulls/2/reviews"),
);
attack("labels a stranger's issue so that it is worked on", (guarded) =>
  reaches(guarded, "POST", "/repos/o/n/issues/2/labels"),
);
attack("opens another issue to be worked on", (guarded) => reaches(guarded, "POST", "/repos/o/n/issues"));
attack("deletes the repository in the host's name", (guarded) => reaches(guarded, "DELETE", "/repos/o/n"));
attack("writes a CI workflow to the main branch in the host's name", (guarded) =>
  reaches(guarded, "PUT", "/repos/o/n/contents/.github/workflows/x.yml"),
);
attack("reads the repository's leaked secrets in the host's name", (guarded) =>
  reaches(guarded, "GET", "/repos/o/n/secret-scanning/alerts"),
);
attack("adds a deploy key in the host's name", (guarded) => reaches(guarded, "POST", "/repos/o/n/keys"));
attack("reaches another repository in the host's name", (guarded) =>
  reaches(guarded, "GET", "/repos/o/other/contents/x"),
);

attack("has its issue worked on by opening it in a public repository", async (guarded) => {
  const issue = { number: 1, title: "T", state: "open", author_association: "NONE", labels: [] };
  await using api = listening(() => Response.json([issue]));
  const found = await githubAt(api.url, guarded ? {} : { authors: "any" })?.fetchIssuesByStates(["open"]);
  return found?.[0]?.dispatchable === true;
});

/** Whether a document would be sent to Linear; the control asks for the word that it begins with. */
function passes(guarded: boolean, query: string): boolean {
  const issue: Issue = { ...issueOf("ENG-1"), id: "own" };
  if (!guarded) return !/^\s*mutation\b(?![\s\S]*own)/.test(query);
  try {
    checkMutations({ query, variables: {}, issue });
    return true;
  } catch {
    return false;
  }
}

attack("changes another issue of Linear under an alias", (guarded) =>
  passes(guarded, 'mutation { own: issueUpdate(id: "other", input: {}) { success } }'),
);
attack("changes another issue of Linear beside its own", (guarded) =>
  passes(guarded, 'mutation { issueUpdate(id: "own", input: {}) { success } issueDelete(id: "other") { success } }'),
);
attack("hides a mutation of Linear in a fragment", (guarded) =>
  passes(guarded, 'fragment F on Mutation { issueDelete(id: "other") { success } } mutation { ...F }'),
);
attack("hides a mutation of Linear behind a comment", (guarded) =>
  passes(guarded, '# query\nmutation { issueDelete(id: "other") { success } }'),
);
