import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';

/** A program of the server as a process of its own. */
export interface Program {
  child: ChildProcess;
  stdout: () => string;
  stderr: () => string;
  /** The first whole line on standard output. Rejects when the program ends before. */
  firstLine(): Promise<string>;
  /** Resolves with how it ended. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/**
 * Starts `server/…` by this Node with these arguments; the environment holds nothing of ours but `environment`.
 *
 * @param input what is typed into it
 */
export function startProgram(
  path: string,
  args: readonly string[],
  options: { environment?: Record<string, string>; input?: string } = {},
): Program {
  const script = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  const clean = Object.entries(process.env).filter(([name]) => !name.startsWith('FLEETDECK_'));
  const child = spawn(process.execPath, [script, ...args], {
    cwd: tmpdir(),
    env: { ...Object.fromEntries(clean), ...options.environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(options.input ?? '');
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
  }));
  return {
    child,
    ended,
    stdout: () => out,
    stderr: () => err,
    async firstLine() {
      while (!out.includes('\n')) {
        const over = await Promise.race([
          once(child.stdout, 'data').then(() => false),
          ended.then(() => true),
        ]);
        if (over && !out.includes('\n')) throw new Error(`the program ended: ${err}`);
      }
      return out.slice(0, out.indexOf('\n'));
    },
  };
}
