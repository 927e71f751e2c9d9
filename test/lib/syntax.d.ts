/** A node of the syntax tree, as far as the rules here look into it. */
export interface SyntaxNode {
    readonly type: string;
    readonly start: number;
    readonly end: number;
    readonly [field: string]: unknown;
}
/** A parsed file. */
export interface Source {
    readonly body: readonly SyntaxNode[];
    /** End offsets of doc comments. */
    readonly docEnds: ReadonlySet<number>;
    readonly text: string;
}
/** Parses TypeScript or JavaScript. Throws on a syntax error. */
export declare function parse(file: string, text: string): Source;
/** Visits every node with the nodes around it, outermost first. */
export declare function walk(nodes: readonly SyntaxNode[], visit: (node: SyntaxNode, around: readonly SyntaxNode[]) => void): void;
/** True if a function, block or module binds this name itself, as a parameter or by a declaration. */
export declare function binds(scope: SyntaxNode, name: string): boolean;
/** The value of a string literal. */
export declare function literal(node: unknown): string | undefined;
/** The name of an identifier. */
export declare const identifier: (node: unknown) => string | undefined;
/** Every module that a file names: imports, exports, dynamic imports, type imports and `require`. */
export declare function importsOf(file: string, text: string): string[];
