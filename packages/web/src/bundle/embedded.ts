/**
 * Files of a page that was built beforehand, by the path they are served under: the build of the executable and of the
 * published package replaces this module. From source, the page is built when it is asked for.
 */
export const embedded: Readonly<Record<string, string>> | undefined = undefined;
