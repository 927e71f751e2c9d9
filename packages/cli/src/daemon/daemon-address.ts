/** `unix://` alone is the server that `quire app-server daemon` starts. */
export async function withDaemon(address: string): Promise<string> {
  if (address !== "unix://") return address;
  const { defaultSocketPath, resolveHome } = await import("@quire/server/startup");
  return `unix://${defaultSocketPath(resolveHome(process.env))}`;
}
