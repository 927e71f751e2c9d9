/** Runs one turn and returns how many characters its deltas had. */
export type RunTurn = () => Promise<number>;

/**
 * A client under test: starts the server, shakes hands, opens a thread.
 * @param server Program and arguments of the scripted server.
 * @param peers Folder with the `node_modules` of the peers that are not dependencies of this repository.
 */
export type TurnContestant = (server: readonly string[], peers: string) => Promise<RunTurn>;

/** Prompt of every contestant. The scripted server ignores it. */
export const prompt = "go";
