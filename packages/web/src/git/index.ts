import "./git.css";

export { BranchBar } from "./branch-bar.tsx";
export { CommitForm } from "./commit-form.tsx";
export { HunkPicker } from "./hunk-picker.tsx";
export type { Pick } from "./repository.ts";
export { messageOfAnswer, messagePrompt } from "./suggest-message.ts";
export { useRepository } from "./use-repository.ts";
