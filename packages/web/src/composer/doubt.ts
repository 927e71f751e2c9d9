/** Says what a message was probably meant to be instead; null for one that is clear. Sent again, it goes as it is. */
export function doubtAbout(text: string, asking: boolean): string | null {
  const trimmed = text.trim();
  const command = /^\/([a-z][\w-]*)(?=\s|$)/i.exec(trimmed)?.[0];
  if (command !== undefined) return `${command} is not a command here. Send again to send it as text.`;
  if (asking && /^[yan]$/i.test(trimmed)) {
    return `A question is waiting. Press Esc, then ${trimmed.toUpperCase()} to answer it. Send again to send it as text.`;
  }
  return null;
}
