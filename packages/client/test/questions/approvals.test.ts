import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApprovalRequest, QuestionHandlers } from "@quire/client";
import { answer, legacyCommand, legacyPatch, modernCommand, modernPatch, permissions } from "./ask.ts";

const words = ["accept", "acceptForSession", "decline", "cancel"] as const;
const asked = { fileSystem: { write: ["/work/out"] }, network: { enabled: true } };

/** The four answers in the words of each method. */
const expected: readonly (readonly [{ method: string; params: unknown }, readonly unknown[]])[] = [
  [modernCommand(), words.map((decision) => ({ decision }))],
  [modernPatch(), words.map((decision) => ({ decision }))],
  [legacyCommand(), ["approved", "approved_for_session", "denied", "abort"].map((decision) => ({ decision }))],
  [legacyPatch(), ["approved", "approved_for_session", "denied", "abort"].map((decision) => ({ decision }))],
  [
    permissions(asked),
    [
      { permissions: asked, scope: "turn" },
      { permissions: asked, scope: "session" },
      { permissions: {}, scope: "turn" },
      { permissions: {}, scope: "turn" },
    ],
  ],
];

test("each kind of approval is answered in the words of its method, by method or by shorthand", async () => {
  for (const [request, results] of expected) {
    for (const [index, word] of words.entries()) {
      const byMethod = await answer(request, { onApproval: (approval) => approval[word]() });
      assert.deepEqual(byMethod, { result: results[index], warnings: [] }, `${request.method} ${word}`);
      const byWord = await answer(request, { onApproval: async () => word });
      assert.deepEqual(byWord, byMethod);
    }
  }
});

test("one function sees every kind, told apart by its kind", async () => {
  const seen: string[] = [];
  const onApproval = (request: ApprovalRequest) => {
    if (request.kind === "command") seen.push(`${request.command} in ${request.cwd}`);
    else if (request.kind === "fileChange") seen.push(request.changes.map(({ path }) => path).join());
    else seen.push(JSON.stringify(request.permissions.network));
    return request.decline();
  };
  for (const [request] of expected) await answer(request, { onApproval });
  assert.deepEqual(seen, [
    "rm -rf build in /work",
    "/work/a.txt",
    "rm -rf build in /work",
    "old.txt,new.txt",
    '{"enabled":true}',
  ]);
});

test("a function for one kind leaves the others declined, with a warning that names what to set", async () => {
  const handlers: QuestionHandlers = { onApproval: { command: () => "accept" } };
  assert.deepEqual((await answer(modernCommand(), handlers)).result, { decision: "accept" });
  const { result, warnings } = await answer(modernPatch(), handlers);
  assert.deepEqual(result, { decision: "decline" });
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ["declined"],
  );
  assert.match(
    warnings[0]?.message ?? "",
    /item\/fileChange\/requestApproval was declined.*set onApproval\.fileChange/,
  );
});

test("the facts of a command are at hand, as far as the server tells them", async () => {
  let seen: ApprovalRequest | undefined;
  const see = (request: ApprovalRequest) => {
    seen = request;
    return request.decline();
  };
  const params = {
    reason: "needs the network",
    availableDecisions: ["accept", "cancel"],
    networkApprovalContext: { host: "example.com", protocol: "https" },
    proposedNetworkPolicyAmendments: [{ action: "allow", host: "example.com" }],
  };
  await answer(modernCommand(params), { onApproval: see });
  assert.ok(seen?.kind === "command");
  assert.equal(seen.threadId, "thread-1");
  assert.equal(seen.turnId, "turn-1");
  assert.equal(seen.itemId, "item-1");
  assert.equal(seen.reason, "needs the network");
  assert.equal(seen.network?.host, "example.com");
  assert.deepEqual(seen.availableDecisions, ["accept", "cancel"]);
  assert.deepEqual(seen.proposedNetworkAmendments, [{ action: "allow", host: "example.com" }]);
  assert.equal(seen.proposedAmendment, undefined);
  await answer(legacyCommand(), { onApproval: see });
  assert.equal(seen.threadId, "thread-1");
  assert.equal(seen.itemId, "call-1");
  assert.equal(seen.turnId, undefined);
});

test("a command's script is at hand as the model wrote it, and its programs where there is no more to it", async () => {
  const table: [string, string, readonly (readonly string[])[] | undefined][] = [
    ["/bin/bash -lc 'git status'", "git status", [["git", "status"]]],
    [
      "/usr/bin/zsh -c \"git diff | wc -l && echo 'a b'\"",
      "git diff | wc -l && echo 'a b'",
      [
        ["git", "diff"],
        ["wc", "-l"],
        ["echo", "a b"],
      ],
    ],
    ["ls", "ls", [["ls"]]],
    ["/bin/bash -lc 'git status > out'", "git status > out", undefined],
    ["/bin/bash -lc 'git status & rm -rf .'", "git status & rm -rf .", undefined],
    ["/bin/bash -lc 'GIT_PAGER=sh git log'", "GIT_PAGER=sh git log", undefined],
    ["/bin/bash -lc 'cat \"$HOME\"/x $(id)'", 'cat "$HOME"/x $(id)', undefined],
    ["./bash -lc 'git status'", "./bash -lc 'git status'", [["./bash", "-lc", "git status"]]],
    ["", "", undefined],
  ];
  const seen: unknown[] = [];
  const onApproval = (request: ApprovalRequest) => {
    if (request.kind === "command") seen.push([request.command, request.script, request.programs]);
    return request.decline();
  };
  for (const [command] of table) await answer(modernCommand({ command }), { onApproval });
  assert.deepEqual(seen, table);
  seen.length = 0;
  await answer(legacyCommand(), { onApproval });
  await answer(modernCommand({ kind: "writeStdin", command: "y" }), { onApproval });
  assert.deepEqual(seen, [
    ["rm -rf build", "rm -rf build", [["rm", "-rf", "build"]]],
    ["y", undefined, undefined],
  ]);
});

test("a command can be accepted together with a rule", async () => {
  const amend = (...args: [] | [readonly string[]] | [{ action: "allow"; host: string }]): QuestionHandlers => ({
    onApproval: { command: (request) => request.acceptWithAmendment(...args) },
  });
  const proposing = modernCommand({ proposedExecpolicyAmendment: ["rm"] });
  const resultOf = async (...args: Parameters<typeof answer>) => (await answer(...args)).result;
  const kept = (execpolicy_amendment: string[]) => ({
    decision: { acceptWithExecpolicyAmendment: { execpolicy_amendment } },
  });
  assert.deepEqual(await resultOf(proposing, amend()), kept(["rm"]));
  assert.deepEqual(await resultOf(proposing, amend(["rm", "-rf"])), kept(["rm", "-rf"]));
  const rule = { action: "allow", host: "example.com" } as const;
  assert.deepEqual(await resultOf(proposing, amend(rule)), {
    decision: { applyNetworkPolicyAmendment: { network_policy_amendment: rule } },
  });
  assert.deepEqual(await resultOf(legacyCommand(), amend(["rm"])), {
    decision: { approved_execpolicy_amendment: { proposed_execpolicy_amendment: ["rm"] } },
  });
  const none = await answer(modernCommand(), amend());
  assert.deepEqual(none.result, { decision: "decline" });
  assert.match(none.warnings[0]?.message ?? "", /proposed no amendment: pass one/);
});

test("a part of the permissions can be granted, for a turn or for the session", async () => {
  const granting = (options?: { scope: "session" }): QuestionHandlers => ({
    onApproval: { permissions: ({ grant }) => grant({ network: { enabled: true } }, options) },
  });
  const granted = { network: { enabled: true } };
  assert.deepEqual((await answer(permissions(asked), granting())).result, { permissions: granted, scope: "turn" });
  assert.deepEqual((await answer(permissions(asked), granting({ scope: "session" }))).result, {
    permissions: granted,
    scope: "session",
  });
});

test("the wire's own reply can be given as it is", async () => {
  const onApproval = (request: ApprovalRequest) => request.respond({ decision: "somethingNew" });
  assert.deepEqual((await answer(modernCommand(), { onApproval })).result, { decision: "somethingNew" });
});

test("nobody, nothing, nonsense and failure all mean no, each with its own warning", async () => {
  const reasons: readonly (readonly [unknown, string, RegExp])[] = [
    [undefined, "declined", /nobody answers it: set onApproval/],
    [() => undefined, "declined", /gave no answer: return what a method of the request gives/],
    [async () => "yes", "declined", /gave no answer/],
    [() => true, "declined", /gave no answer/],
    [
      () => Promise.reject(new Error("the dialog broke")),
      "handler-failed",
      /onApproval failed: Error: the dialog broke/,
    ],
  ];
  for (const [request, results] of expected) {
    for (const [onApproval, code, message] of reasons) {
      const { result, warnings } = await answer(request, { onApproval } as QuestionHandlers);
      assert.deepEqual(result, results[2], request.method);
      assert.equal(warnings.length, 1);
      assert.equal(warnings[0]?.code, code);
      assert.match(warnings[0]?.message ?? "", message);
    }
  }
});

test("a withdrawn question ends its handler's wait, silently", async () => {
  const aborter = new AbortController();
  const pending = answer(
    modernCommand(),
    {
      onApproval: (request) => {
        assert.equal(request.signal, aborter.signal);
        queueMicrotask(() => aborter.abort());
        return new Promise<never>(() => {});
      },
    },
    { signal: aborter.signal },
  );
  assert.deepEqual(await pending, { result: { decision: "decline" }, warnings: [] });
});
