let count = 0;

/** An id for something of this tab. The browser's own maker of ids is missing on addresses without https. */
export function localId(): string {
  count += 1;
  return `${Date.now().toString(36)}-${count}`;
}
