import { composeWords } from "../words/words.ts";
/** Says what a message was probably meant to be instead; null for one that is clear. Sent again, it goes as it is. */
export function doubtAbout(text: string, asking: boolean): string | null {
  const trimmed = text.trim();
  const command = /^\/([a-z][\w-]*)(?=\s|$)/i.exec(trimmed)?.[0];
  if (command !== undefined) return composeWords.notCommandSendAgainSend(command);
  if (asking && /^[yan]$/i.test(trimmed)) {
    return composeWords.questionWaitingPressEscAnswer(trimmed.toUpperCase());
  }
  return null;
}
