export { flatten, groupThreads, neighbour } from "./group-threads.ts";
export { RenameInput } from "./rename-input.tsx";
export { listed, Sidebar } from "./sidebar.tsx";
export { StatusMark } from "./status-mark.tsx";
export { threadMenu } from "./thread-menu.tsx";
