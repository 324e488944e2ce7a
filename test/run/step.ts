import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { emptyReport, judgeSuite, REPORT_FILE, takeReport, type Report } from './report.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const isWindows = process.platform === 'win32';
const running = new Set<ChildProcess>();

/** Runs an npm script that is right or wrong as a whole; what it says is shown only when it is wrong. */
export async function check(script: string): Promise<Report> {
  const startedAt = performance.now();
  const { exitCode, output } = await runScript(script, []);
  const isGood = exitCode === 0;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  write(`${isGood ? 'ok    ' : 'FAILED'} ${script} (${seconds} s)`);
  if (isGood) return { ...emptyReport(), passed: 1 };
  write(output.trimEnd() === '' ? `It ended with code ${exitCode} and said nothing.` : output.trimEnd());
  return { ...emptyReport(), failed: [script] };
}

/** Runs an npm script that runs tests and leaves a report; what it says is shown as it comes. */
export async function suite(script: string, reporters: readonly string[], results: string): Promise<Report> {
  write(`\n${script}`);
  const file = join(results, `${script}.report.json`);
  rmSync(file, { force: true });
  const { exitCode } = await runScript(script, reporters, { [REPORT_FILE]: file });
  return judgeSuite(script, takeReport(file), exitCode);
}

/** Ends what is still running, so that no browser or server outlives the run. */
export function endSteps(): void {
  for (const child of running) {
    // npm passes a signal on to its shell, which dies without passing it on: the whole group has to hear it.
    if (isWindows || child.pid === undefined) child.kill('SIGTERM');
    else process.kill(-child.pid, 'SIGTERM');
  }
}

export function write(line: string): void {
  process.stdout.write(`${line}\n`);
}

function runScript(
  script: string,
  args: readonly string[],
  liveWith?: NodeJS.ProcessEnv,
): Promise<{ exitCode: number; output: string }> {
  const child = spawn('npm', ['run', '--silent', script, '--', ...args], {
    stdio: ['ignore', liveWith ? 'inherit' : 'pipe', liveWith ? 'inherit' : 'pipe'],
    cwd: ROOT,
    env: { ...process.env, ...liveWith },
    detached: !isWindows,
    // npm is a batch file there, which only a shell can start.
    shell: isWindows,
  });
  running.add(child);
  const chunks: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      running.delete(child);
      resolve({ exitCode: code ?? 1, output: Buffer.concat(chunks).toString() });
    });
  });
}
