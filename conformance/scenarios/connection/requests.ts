import type { Scenario } from "../../lib/scenario.ts";
import { requestEach } from "../../lib/steps.ts";

/** Rules for every request: parsing, ids, errors. */
export const requests: readonly Scenario[] = [
  {
    name: "requests/unknown-method",
    covers: "A method that does not exist",
    run: async (stage) => {
      const peer = await stage.connect();
      await peer.request("nope/nope", {});
      await peer.request("nope/nope");
    },
    differences: [
      {
        at: "reply nope/nope error",
        reason: "An unknown method is answered as JSON-RPC has it, with -32601, and without the list of all methods.",
      },
    ],
  },
  {
    name: "requests/bad-params",
    covers: "Missing fields, wrong types and unknown variants are named",
    run: async (stage) => {
      const peer = await stage.connect();
      await requestEach(peer, "thread/read", [undefined, null, {}, { threadId: 5 }, [], "x"]);
      await requestEach(peer, "turn/start", [
        { threadId: "x", input: "y" },
        { threadId: "x", input: [{ type: "nope" }] },
        { threadId: "x", input: [{ text: "nope" }] },
      ]);
      await requestEach(peer, "thread/start", [
        { sandbox: "nope" },
        { approvalPolicy: "nope" },
        { personality: "rude" },
        { unknownField: 1 },
      ]);
      await requestEach(peer, "thread/list", [{ limit: -1 }, { sortKey: "nope" }, { sourceKinds: ["nope"] }]);
    },
    differences: [
      {
        at: /^reply \S+ error\.message/,
        reason: "The message names the parameter that is wrong; the code is the same.",
      },
    ],
  },
  {
    name: "requests/ids",
    covers: "Ids are numbers or strings and come back as they were; further members are ignored",
    run: async (stage) => {
      const peer = await stage.connect();
      const call = { method: "thread/loaded/list", params: {} };
      peer.send({ id: "a-string", ...call });
      await peer.reply("a-string");
      const inVersion2 = { jsonrpc: "2.0", extra: 1, id: 1000, ...call };
      peer.send(inVersion2);
      await peer.reply(1000);
    },
  },
  {
    name: "requests/no-reply-due",
    covers: "Stray replies and unknown notifications are ignored",
    run: async (stage) => {
      const peer = await stage.connect();
      peer.notify("nope/nope", {});
      peer.send({ id: 77, result: {} });
      peer.send({ id: 78, error: { code: 1, message: "x" } });
      await peer.request("thread/loaded/list", {});
    },
  },
  {
    name: "requests/burst",
    covers: "3,000 requests at once",
    run: async (stage) => {
      const peer = await stage.connect();
      for (let count = 0; count < 3000; count++) peer.begin("thread/loaded/list", {});
      await stage.silence(1000);
    },
    differences: [
      {
        at: "reply thread/loaded/list",
        reason: "Every request gets its reply; of thousands at once Codex leaves many unanswered.",
      },
    ],
  },
  {
    name: "requests/malformed",
    covers: "Lines that are no message do not end the connection",
    run: async (stage) => {
      const peer = await stage.connect();
      for (const line of ["not json", "[]", "42", "{}"]) peer.send(line);
      await stage.silence();
      await peer.request("thread/loaded/list", {});
    },
    differences: [
      {
        at: "event adds: reply to no request",
        reason: "A line that is no message is answered with an error; Codex ignores it, and its sender waits forever.",
      },
    ],
  },
];
