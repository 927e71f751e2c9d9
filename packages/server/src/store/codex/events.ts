import type { ThreadItem } from "@quire/protocol";
import type { ThreadEvent } from "../../record/rollout-line.ts";
import { type Fields, fields, list, text, textOrNull } from "./fields.ts";
import {
  agentMessage,
  commandExecution,
  dynamicToolCall,
  fileChanges,
  mcpToolCall,
  patchStatus,
  webSearch,
} from "./items.ts";

/** Makes items from the events of versions that have no items in their rollouts (up to about 0.150). */
export class LegacyEvents {
  #count = 0;

  /** Messages have no ids there; Codex counts them too. */
  nextId(): string {
    return `item-${++this.#count}`;
  }

  translate(event: Fields, turnId: string): ThreadEvent[] {
    const item = this.#itemOf(event);
    // The time is unknown there.
    return item ? [{ kind: "item_completed", turnId, item: { startedAtMs: null, completedAtMs: null, ...item } }] : [];
  }

  #itemOf(event: Fields): ThreadItem | undefined {
    const id = text(event.call_id);
    switch (event.type) {
      case "user_message":
        return this.#userMessage(event);
      case "agent_message":
        return agentMessage(this.nextId(), text(event.message), event);
      case "agent_reasoning":
        return { type: "reasoning", id: this.nextId(), summary: [text(event.text)], content: [] };
      case "agent_reasoning_raw_content":
        return { type: "reasoning", id: this.nextId(), summary: [], content: [text(event.text)] };
      case "context_compacted":
        return { type: "contextCompaction", id: this.nextId() };
      case "entered_review_mode":
        return { type: "enteredReviewMode", id: this.nextId(), review: text(event.user_facing_hint) };
      case "exited_review_mode":
        return {
          type: "exitedReviewMode",
          id: this.nextId(),
          review: text(fields(event.review_output).overall_explanation),
        };
      case "exec_command_end":
        return commandExecution(id, event);
      case "patch_apply_end":
        return { type: "fileChange", id, changes: fileChanges(event.changes), status: patchStatus(event) };
      case "mcp_tool_call_end":
        return mcpEnd(id, event);
      case "dynamic_tool_call_response":
        return dynamicToolCall(id, event);
      case "web_search_end":
        return webSearch(id, event);
      case "view_image_tool_call":
        return { type: "imageView", id, path: text(event.path) };
      default:
        return undefined;
    }
  }

  #userMessage(event: Fields): ThreadItem {
    const images = list(event.images).map((url) => ({ type: "image" as const, url: String(url) }));
    const local = list(event.local_images).map((path) => ({ type: "localImage" as const, path: String(path) }));
    const message = text(event.message);
    const elements = [...list(event.text_elements)] as never[];
    const words = message === "" ? [] : [{ type: "text" as const, text: message, text_elements: elements }];
    return {
      type: "userMessage",
      id: this.nextId(),
      clientId: textOrNull(event.client_id),
      content: [...words, ...images, ...local],
    };
  }
}

function mcpEnd(id: string, event: Fields): ThreadItem {
  const result = fields(event.result);
  const failed = result.Err !== undefined || fields(result.Ok).is_error === true;
  return mcpToolCall(id, {
    ...fields(event.invocation),
    duration: event.duration,
    status: failed ? "failed" : "completed",
    ...(result.Ok !== undefined && { result: result.Ok }),
    ...(result.Err !== undefined && { error: { message: text(result.Err) } }),
  });
}
