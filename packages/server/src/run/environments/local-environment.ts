/** The environment that is this machine. */
export const localEnvironment = "local";

/** Whether a thread works on this machine: it does unless another environment, or none, was chosen. */
export function isHere({ environment }: { readonly environment?: string | null | undefined }): boolean {
  return environment === undefined || environment === localEnvironment;
}
