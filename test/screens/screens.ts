import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

// Pictures of every screen, dark and light, in several sizes and in each language, to be looked at:
// `npm run screens -- FOLDER`. What cannot be read or reached in one of them is named at the end.
const { positionals } = parseArgs({ allowPositionals: true });
const folder = resolve(positionals[0] ?? 'test-results/screens');
const { status } = spawnSync(
  'npx',
  ['playwright', 'test', '--config', 'test/playwright.config.ts', '--project', 'browser', 'screens.spec.ts'],
  { stdio: 'inherit', env: { ...process.env, FLEETDECK_SCREENS: folder } },
);
process.stdout.write(`Pictures of all screens are in ${folder}.\n`);
process.exitCode = status ?? 1;
