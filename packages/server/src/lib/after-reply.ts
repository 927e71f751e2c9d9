/** Runs work after the reply, so that its notifications do not come first. */
export function afterReply(work: () => void): void {
  setImmediate(work);
}
