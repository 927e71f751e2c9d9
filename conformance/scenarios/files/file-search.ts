import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Scenario } from "../../lib/scenario.ts";
import type { Stage } from "../../lib/stage.ts";
import { requestEach, unknownThread } from "../../lib/steps.ts";

/** The same commit in each run. */
const dates = { GIT_AUTHOR_DATE: "2024-01-01T00:00:00Z", GIT_COMMITTER_DATE: "2024-01-01T00:00:00Z" };

function project(stage: Stage): string {
  const root = join(stage.cwd, "project");
  const paths = [
    "src/main.ts",
    "src/mainFrame.ts",
    "docs/main.md",
    "a/b/c/some_main.rs",
    "MAIN.txt",
    "x/foo-bar.tar.gz",
  ];
  for (const path of [...paths, "skipped/main.ts", "sub/main.log"]) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), "");
  }
  writeFileSync(join(root, ".ignore"), "skipped/\n*.log\n");
  return root;
}

/** Files by a few letters of their path, and what else is asked about folders. */
export const fileSearch: readonly Scenario[] = [
  {
    name: "file-search/single",
    covers: "Which files a query finds, in which order, with which scores and places",
    run: async (stage) => {
      const peer = await stage.connect();
      const roots = [project(stage)];
      const queries = ["main", "MAIN", "mf", "srcmain", "src/main", "main ts", "fb", "gz$", "^src", "'ain", "zzz", ""];
      await requestEach(
        peer,
        "fuzzyFileSearch",
        queries.map((query) => ({ query, roots })),
      );
      await requestEach(peer, "fuzzyFileSearch", [
        { query: "main", roots: [] },
        { query: "main", roots: ["/no/such"] },
        { query: "main" },
      ]);
    },
  },
  {
    name: "file-search/session",
    covers: "A search while one types",
    // They are told in either order.
    free: ["fuzzyFileSearch/sessionUpdated", "fuzzyFileSearch/sessionCompleted"],
    run: async (stage) => {
      const peer = await stage.connect();
      const roots = [project(stage)];
      await requestEach(peer, "fuzzyFileSearch/sessionStart", [
        { sessionId: "", roots },
        { sessionId: "s", roots: [] },
        { sessionId: "s", roots },
      ]);
      await peer.waitFor("fuzzyFileSearch/sessionCompleted", () => true);
      for (const query of ["m", "ma", "main", "zzz"]) {
        await peer.request("fuzzyFileSearch/sessionUpdate", { sessionId: "s", query });
        await peer.waitFor("fuzzyFileSearch/sessionUpdated", (update) => update.query === query);
        await peer.waitFor("fuzzyFileSearch/sessionCompleted", () => true);
      }
      await requestEach(peer, "fuzzyFileSearch/sessionStop", [{ sessionId: "s" }, { sessionId: "s" }]);
      await peer.request("fuzzyFileSearch/sessionUpdate", { sessionId: "s", query: "m" });
    },
  },
  {
    name: "file-search/git-diff",
    covers: "What a folder has that its remote has not; a stored thread in a few words",
    run: async (stage) => {
      const peer = await stage.connect();
      const root = project(stage);
      const git = (...args: string[]) =>
        execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@y", ...args], {
          cwd: root,
          stdio: "ignore",
          env: { ...process.env, ...dates },
        });
      await requestEach(peer, "gitDiffToRemote", [{ cwd: root }, { cwd: "/no/such" }]);
      git("init");
      git("add", "-A");
      git("commit", "-m", "one");
      git("init", "--bare", join(stage.cwd, "remote.git"));
      git("remote", "add", "origin", join(stage.cwd, "remote.git"));
      git("push", "-u", "origin", "HEAD");
      writeFileSync(join(root, "src", "main.ts"), "changed\n");
      writeFileSync(join(root, "fresh.txt"), "new\n");
      const { diff } = await peer.result("gitDiffToRemote", { cwd: root });
      stage.observe("diff", diff);
      await requestEach(peer, "getConversationSummary", [
        { conversationId: unknownThread },
        { rolloutPath: "/no/such.jsonl" },
        { rolloutPath: "none.jsonl" },
      ]);
    },
  },
];
