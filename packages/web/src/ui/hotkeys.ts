/** True while keys go into a text, so that a bare letter must not act. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  return target.matches("textarea, select, input:not([type=checkbox], [type=radio], [type=button])");
}

/** True for a key on its own: no modifier but Shift. */
export function isBareKey(event: KeyboardEvent): boolean {
  return !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing;
}
