export { holds, shownThread } from "./shown-thread.ts";
export { UndoDock } from "./undo-dock.tsx";
