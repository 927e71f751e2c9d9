import { names } from "./checks.ts";

/** The words that an endpoint of the Responses API knows. */
export interface ResponsesVocabulary {
  readonly body: ReadonlySet<string>;
  /** Fields of `text`. */
  readonly text: ReadonlySet<string>;
  /** Types of tools. */
  readonly tools: ReadonlySet<string>;
  /** Fields of a tool; if left out, any. */
  readonly toolFields?: ReadonlySet<string>;
  readonly roles: ReadonlySet<string>;
  /** Fields of each type of item. */
  readonly items: ReadonlyMap<string, ReadonlySet<string> | "any">;
  /** True where a template of the model reads the input: it insists on an order of roles and on arguments that are JSON. */
  readonly isTemplated: boolean;
}

const common =
  "model input instructions tools tool_choice parallel_tool_calls reasoning store stream temperature top_p max_output_tokens text previous_response_id truncation metadata include user";

/** Endpoints of open models. */
export const openVocabulary: ResponsesVocabulary = {
  body: names(common),
  text: names("format"),
  tools: names("function"),
  toolFields: names("type name description parameters strict"),
  roles: names("user assistant system"),
  items: new Map([
    ["message", names("type id role content status")],
    ["reasoning", names("type id summary content encrypted_content status")],
    ["function_call", names("type id call_id name arguments status")],
    ["function_call_output", names("type id call_id output status")],
  ]),
  isTemplated: true,
};

const openaiItems = names(
  "message reasoning function_call function_call_output custom_tool_call custom_tool_call_output local_shell_call local_shell_call_output tool_search_call tool_search_output web_search_call image_generation_call file_search_call computer_call computer_call_output code_interpreter_call mcp_call mcp_list_tools compaction agent_message item_reference additional_tools",
);

/** OpenAI's own endpoint. */
export const openaiVocabulary: ResponsesVocabulary = {
  body: names(
    `${common} prompt_cache_key prompt_cache_retention client_metadata service_tier safety_identifier background conversation max_tool_calls prompt stream_options top_logprobs`,
  ),
  text: names("format verbosity"),
  tools: names(
    "function custom namespace tool_search web_search web_search_preview image_generation local_shell shell apply_patch file_search code_interpreter computer_use_preview mcp",
  ),
  roles: names("user assistant system developer"),
  items: new Map([...openaiItems].map((type) => [type, "any"])),
  isTemplated: false,
};
