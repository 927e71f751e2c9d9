/** Types that stand beside the folder of the newer protocol, as Codex has laid them out. */
const top: ReadonlySet<string> = new Set(
  `AbsolutePathBuf AgentMessageInputContent AgentPath ApplyPatchApprovalParams ApplyPatchApprovalResponse AuthMode
  AutoCompactTokenLimitScope ClientInfo ClientNotification ClientRequest CodexResponseHandoffMode CollaborationMode
  ConfigurationReasoning ContentItem ConversationGitInfo ConversationSummary ConversationTextRole
  ExecCommandApprovalParams ExecCommandApprovalResponse FileChange ForcedLoginMethod FunctionCallOutputBody
  FunctionCallOutputContentItem FuzzyFileSearchMatchType FuzzyFileSearchParams FuzzyFileSearchResponse
  FuzzyFileSearchResult FuzzyFileSearchSessionCompletedNotification FuzzyFileSearchSessionStartParams
  FuzzyFileSearchSessionStartResponse FuzzyFileSearchSessionStopParams FuzzyFileSearchSessionStopResponse
  FuzzyFileSearchSessionUpdateParams FuzzyFileSearchSessionUpdateResponse FuzzyFileSearchSessionUpdatedNotification
  GetAuthStatusParams GetAuthStatusResponse GetConversationSummaryParams GetConversationSummaryResponse
  GitDiffToRemoteParams GitDiffToRemoteResponse ImageDetail ImageGenerationFailure ImageGenerationInputImage
  InitializeCapabilities InitializeParams InitializeResponse InputModality InternalChatMessageMetadataPassthrough
  LegacyAppPathString LocalShellAction LocalShellStatus McpServerInfo MessagePhase ModeKind MultiAgentMode
  NetworkPolicyAmendment NetworkPolicyRuleAction ParsedCommand PathUri Personality PlanType
  RealtimeConversationVersion RealtimeOutputModality RealtimeVoice RealtimeVoicesList ReasoningEffort
  ReasoningItemContent ReasoningItemReasoningSummary ReasoningSummary RequestId Resource ResourceContent
  ResourceTemplate ResponseItem ReviewDecision ServerNotification ServerRequest SessionSource Settings SubAgentSource
  ThreadId ThreadMemoryMode Tool ToolExposureSurface Verbosity WebSearchAction WebSearchContextSize WebSearchLocation
  WebSearchMode WebSearchToolConfig`.split(/\s+/),
);

/** The folder of a type among TypeScript files: `""` for the one given, else `v2`. */
export const typeFolder = (name: string): "" | "v2" => (top.has(name) ? "" : "v2");

/** The folder of a type among JSON schemas. Params and results of questions to the client stand at the top there. */
export function schemaFolder(name: string, asked: ReadonlySet<string>): "" | "v1" | "v2" {
  if (name === "InitializeParams" || name === "InitializeResponse") return "v1";
  if (asked.has(name) || name.startsWith("FuzzyFileSearch") || name === "RequestId") return "";
  return "v2";
}
