/** An MCP server that the user has to log in to first. */
export class LoginNeeded extends Error {
  override readonly name = "LoginNeeded";

  constructor(server: string) {
    super(`The ${server} MCP server is not logged in. Log in with mcpServer/oauth/login.`);
  }
}
