import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/fleetdeck-compiled/', import.meta.url));
const LEAN_ZOD = new URL('./leanZod.mjs', import.meta.url).href;

/**
 * Every Node that is started from here on, be it a host, a worker thread or a runner of tests, keeps what it
 * has stripped of types and compiled, and takes up what another has kept: a host with its workers is there
 * with a third less work. What is kept is found by its source, so that a changed file is compiled again.
 * None loads zod's messages in fifty languages (leanZod.mjs), which are no part of the bundle either.
 */
export function shareCompiledCode(): void {
  process.env['NODE_COMPILE_CACHE'] ??= FOLDER;
  const options = process.env['NODE_OPTIONS'] ?? '';
  if (!options.includes(LEAN_ZOD)) process.env['NODE_OPTIONS'] = `${options} --import ${LEAN_ZOD}`.trim();
}
