import { spawn, type ChildProcess } from 'node:child_process';

/**
 * Starts a process that outlives this one: of others Windows ends each with the process that started it (libuv puts
 * them into a job of its own).
 */
export function startDetached(
  program: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): ChildProcess {
  // What reads this variable would start as plain Node.
  const { ELECTRON_RUN_AS_NODE: _, ...env } = environment;
  const child = spawn(program, args, { env, detached: true, stdio: 'ignore' });
  // It has no process id then, which the caller sees.
  child.on('error', () => undefined);
  child.unref();
  return child;
}
