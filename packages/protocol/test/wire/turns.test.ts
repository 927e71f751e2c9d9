import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isEnded, isTerminalTurnStatus, type Turn, turnStatuses } from "@quire/protocol";
import { schemaOf } from "@quire/protocol/validate";

describe("turn status", () => {
  it("lists what the wire allows", () => {
    const schema = schemaOf("TurnStatus");
    const values = typeof schema === "object" ? schema.enum : undefined;
    assert.deepEqual([...turnStatuses].sort(), [...(values ?? [])].sort());
  });

  it("is final unless in progress", () => {
    assert.deepEqual(turnStatuses.filter(isTerminalTurnStatus), ["completed", "interrupted", "failed"]);
    const turn: Turn = { id: "t", items: [], status: "inProgress" };
    assert.equal(isEnded(turn), false);
    assert.equal(isEnded({ ...turn, status: "failed" }), true);
  });
});
