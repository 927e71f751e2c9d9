export { arrange, inOrder } from "./arrange.ts";
export { neighbour } from "./group-threads.ts";
export { RenameInput } from "./rename-input.tsx";
export { Sidebar } from "./sidebar.tsx";
export { StatusMark } from "./status-mark.tsx";
export { threadMenu } from "./thread-menu.tsx";
export { readNotes } from "./thread-notes.ts";
