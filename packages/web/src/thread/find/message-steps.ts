/** A step to the message before or after. */
export type MessageStep = 1 | -1;

const stepEvent = "quire-message-step";

/** Goes to the user's message before or after what is in sight, in the thread in view. */
export const stepMessage = (by: MessageStep): void => void dispatchEvent(new CustomEvent(stepEvent, { detail: by }));

/** Hears steps; the returned function stops that. */
export function onMessageStep(listener: (by: MessageStep) => void): () => void {
  const heard = (event: Event): void => listener((event as CustomEvent<MessageStep>).detail);
  addEventListener(stepEvent, heard);
  return () => removeEventListener(stepEvent, heard);
}
