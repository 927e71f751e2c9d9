/** A gateway in a process of its own, to be killed. Starts what it is given. */
import process from "node:process";
import { testGateway } from "../support/test-gateway.ts";

const [program = "", ...args] = process.argv.slice(2);
testGateway({ spawned: [{ command: [program, ...args] }] });
