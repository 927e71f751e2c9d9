import type { Acceptor, Listener } from "./acceptor.ts";
/** Serves the one client at this process's stdin and stdout. Nothing else may write to stdout from then on. */
export declare function listenStdio(acceptor: Acceptor): Listener;
