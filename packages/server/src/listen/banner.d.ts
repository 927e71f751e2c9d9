/** What is told on stderr once a server listens, in the real server's shape: tools read the address from it. */
export declare function listeningBanner(address: string, guarded: boolean): string;
