import { runVerify } from './verify/runVerify.ts';

/** Runs the command; answers its exit code. */
export const run = (args: readonly string[]): Promise<number> => runVerify(args, (line) => console.log(line));
