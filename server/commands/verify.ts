import { runVerify } from './verify/runVerify.ts';

process.exitCode = await runVerify(process.argv.slice(2), (line) => console.log(line));
