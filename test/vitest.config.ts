import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { shareCompiledCode } from './support/compiledCode.ts';

shareCompiledCode();

const common = {
  exclude: ['test/fixtures/**'],
  testTimeout: 30_000,
  hookTimeout: 30_000,
};

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    // Vitest leaves one core to itself, of which it needs next to nothing; of two, that would be one for the tests.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        extends: true,
        test: { ...common, name: 'renderer', include: ['test/renderer/**/*.test.{ts,tsx}'], isolate: false },
      },
      {
        extends: true,
        test: {
          ...common,
          name: 'all else',
          include: ['test/**/*.test.ts'],
          exclude: [...common.exclude, 'test/renderer/**'],
        },
      },
    ],
  },
});
