import { type ToolContext, ToolFailure } from "../approval/tool-context.ts";
import { isLocal } from "../run/environments/local-environment.ts";

/** For tools that work on this machine's files: refuses where the thread's are elsewhere. */
export function requireLocal({ settings }: ToolContext): void {
  if (isLocal(settings)) return;
  const { environment } = settings;
  throw new ToolFailure(
    !environment
      ? "this thread has no environment: there are no files to work on"
      : `the files are in the environment \`${environment}\`: read and change them by commands`,
  );
}
