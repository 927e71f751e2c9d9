import { type ReactNode, useState } from "react";
import { ApprovalBar, RequestCard } from "../../src/approvals/index.ts";
import type { PendingRequest } from "../../src/state/model.ts";
import { Button, TextInput } from "../../src/ui/index.ts";
import { noted } from "./calls.ts";
import { hostile, patchItem } from "./data.ts";
import { askedRequests } from "./requests.ts";

function ApprovalStory(): ReactNode {
  const query = new URLSearchParams(location.hash.split("?")[1] ?? "");
  const names = query.get("ask")?.split(",") ?? Object.keys(askedRequests);
  const [requests, setRequests] = useState<readonly PendingRequest[]>(() =>
    names.flatMap((name) => askedRequests[name] ?? []),
  );
  const settle = (id: string, label: string, byMe: boolean): void =>
    setRequests((before) =>
      before.map((request) => (request.id === id ? { ...request, answered: { label, byMe } } : request)),
    );
  return (
    <div className="story-column">
      {requests.map((request) => (
        <RequestCard
          key={request.id}
          request={request}
          item={request.itemId === "patch-1" ? patchItem : undefined}
          home={query.get("home")}
        />
      ))}
      <Button onClick={() => settle(requests[0]?.id ?? "", "Answered elsewhere, in another window", false)}>
        Answer the first elsewhere
      </Button>
      <TextInput aria-label={`A field ${hostile}`} />
      <ApprovalBar
        requests={requests}
        itemOf={(id) => (id === "patch-1" ? patchItem : undefined)}
        serverVersion={query.get("version")}
        home={query.get("home")}
        onAnswer={noted("answer", async (id, _result, label) => {
          if (query.has("failing")) throw new Error("The server is gone: it is asked again when it is back.");
          settle(id, label, true);
        })}
        onRefuse={noted("refuse", async (id) => settle(id, "Refused", true))}
      />
    </div>
  );
}

export const approvalStories = { approvals: ApprovalStory };
