/** The environment that is this machine. */
export const localEnvironment = "local";

/** True when a thread works on this machine: no other environment, or none, was chosen. */
export function isLocal({ environment }: { readonly environment?: string | null | undefined }): boolean {
  return environment === undefined || environment === localEnvironment;
}
