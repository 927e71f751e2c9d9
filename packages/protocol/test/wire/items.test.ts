import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  isAgentMessage,
  isCommandExecution,
  isDynamicToolCall,
  isFileChange,
  isItem,
  isMcpToolCall,
  isReasoning,
  isTerminalItemStatus,
  isUserMessage,
  itemStatus,
  type ThreadItem,
} from "@quire/protocol";

const command: ThreadItem = {
  type: "commandExecution",
  id: "1",
  command: "ls",
  commandActions: [],
  cwd: "/",
  status: "completed",
};
const message: ThreadItem = { type: "agentMessage", id: "2", text: "hello" };

describe("item guards", () => {
  it("narrow by type", () => {
    assert.ok(isCommandExecution(command));
    assert.equal(command.command, "ls");
    assert.equal(isCommandExecution(message), false);
    assert.ok(isItem(message, "agentMessage") && message.text === "hello");
    assert.equal(isItem(message, "plan"), false);
  });

  it("each take their own kind only", () => {
    const guards = { isUserMessage, isAgentMessage, isReasoning, isCommandExecution, isFileChange, isMcpToolCall };
    const taking = Object.entries({ ...guards, isDynamicToolCall }).filter(([, guard]) => guard(message));
    assert.deepEqual(
      taking.map(([name]) => name),
      ["isAgentMessage"],
    );
  });
});

describe("item status", () => {
  it("is there for the items that have one", () => {
    assert.equal(itemStatus(command), "completed");
    assert.equal(itemStatus(message), undefined);
  });

  it("is final unless in progress", () => {
    assert.equal(isTerminalItemStatus("inProgress"), false);
    for (const status of ["completed", "failed", "declined", "somethingNew"]) assert.ok(isTerminalItemStatus(status));
  });
});
