import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** What .ci/setup.mjs notes of the machine. */
const STATE_FILE = fileURLToPath(new URL('../../node_modules/.fleetdeck-setup', import.meta.url));
const State = z.object({ chromium: z.object({ path: z.string() }).optional() });

/** The program that set-up has seen play H.264. Throws, saying what to do, when there is none. */
export function chromiumPath(): string {
  const named = process.env['FLEETDECK_CHROMIUM'];
  if (named !== undefined && named !== '') return named;
  const { chromium } = existsSync(STATE_FILE)
    ? State.parse(JSON.parse(readFileSync(STATE_FILE, 'utf8')))
    : {};
  if (chromium === undefined || !existsSync(chromium.path)) {
    throw new Error('No browser has been chosen on this machine: run `node .ci/setup.mjs` once.');
  }
  return chromium.path;
}

/** What Playwright turns off; of several such lists Chromium heeds the last alone, so ours begins with these. */
export const OFF_FOR_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
];
// For each window Chromium would load two pages of its own for the address field, which nobody types into: half a second
// of work in every test.
const PAGES_OF_THE_ADDRESS_FIELD = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

export const chromiumArguments: readonly string[] = [
  // Chromium refuses its sandbox to root, which is who runs tests in a container.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  // WebGL, which the map draws with, on a machine without a graphics card.
  '--enable-unsafe-swiftshader',
  '--disable-background-networking',
  '--disable-component-update',
  `--disable-features=${[...OFF_FOR_PLAYWRIGHT, ...PAGES_OF_THE_ADDRESS_FIELD].join(',')}`,
];
