import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { shareCompiledCode } from './support/compiledCode.ts';

shareCompiledCode();

const common = {
  exclude: ['test/fixtures/**'],
  setupFiles: ['test/support/patience.ts'],
  testTimeout: 90_000,
  hookTimeout: 90_000,
  // What is waited for comes by itself; a busy machine only takes longer.
  expect: { poll: { timeout: 45_000 } },
};

/** These look at the process that they run in, its memory or its threads, or change a module: each has one of its own. */
const ofOneProcess = [
  'test/server/http/onceStored.test.ts',
  'test/server/store/telemetry/workers.test.ts',
  'test/server/telemetry/simplifyTrack.test.ts',
  'test/server/video/media/memory.test.ts',
];

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    // Vitest leaves one core to itself, of which it needs next to nothing; of two, that would be one for the tests.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // A process for every file would cost a sixth of all the time, so that files share one where they can.
    projects: [
      {
        extends: true,
        test: {
          ...common,
          name: 'renderer',
          include: ['test/renderer/**/*.test.{ts,tsx}'],
          setupFiles: [...common.setupFiles, 'test/renderer/laterTexts.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          ...common,
          name: 'all else',
          include: ['test/**/*.test.ts'],
          exclude: [...common.exclude, 'test/renderer/**', ...ofOneProcess],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { ...common, name: 'of one process', include: ofOneProcess },
      },
    ],
  },
});
