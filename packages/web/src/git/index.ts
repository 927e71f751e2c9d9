import "./git.css";

export { BranchBar } from "./branch-bar.tsx";
export { CommitForm } from "./commit-form.tsx";
export { useRepository } from "./use-repository.ts";
