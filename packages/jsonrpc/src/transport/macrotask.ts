type Task = () => void;

/**
 * Runs a task after I/O had its chance: `setImmediate` where there is one, a message channel in browsers
 * (`setTimeout` there waits 4 ms once nested).
 */
export const macrotask: (task: Task) => void = pickMacrotask();

function pickMacrotask(): (task: Task) => void {
  const immediate = (globalThis as { setImmediate?: (task: Task) => unknown }).setImmediate;
  if (immediate) return (task) => void immediate(task);
  const queue: Task[] = [];
  let channel: MessageChannelLike | undefined;
  return (task) => {
    if (!channel) {
      channel = new (globalThis as unknown as { MessageChannel: new () => MessageChannelLike }).MessageChannel();
      channel.port1.onmessage = () => queue.shift()?.();
    }
    queue.push(task);
    channel.port2.postMessage(null);
  };
}

interface MessageChannelLike {
  readonly port1: { onmessage: (() => void) | null };
  readonly port2: { postMessage(value: null): void };
}
