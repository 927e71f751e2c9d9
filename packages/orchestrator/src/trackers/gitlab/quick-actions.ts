/**
 * The text without GitLab's quick actions: a line such as `/merge` in a description or a comment is a command, which
 * GitLab would run with the token's rights, and an agent may have written it.
 */
export function withoutQuickActions(text: string): string {
  return text.replace(/^([^\S\n]*)\/(?=[a-z])/gim, "$1\\/");
}
