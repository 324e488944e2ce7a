import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { languages } from '../../server/contract/languages.ts';
import { expectNoFaults } from './expectNoFaults.ts';
import { expect, test, type Operator } from './operator.ts';
import { boxFaults, fillScreens, hiddenScrollers, show, type ScreenState } from './screenStates.ts';

/** Where `npm run screens` wants pictures of every state; without it only the boxes are looked at. */
const pictures = process.env['FLEETDECK_SCREENS'];

const usual = { width: 1366, height: 768 };
/** The usual one at 200 %. */
const zoomed = { width: 683, height: 384 };
// The usual one and the one with least space; `npm run screens` looks at a large one, too.
const sizes = pictures === undefined ? [usual, zoomed] : [usual, zoomed, { width: 2560, height: 1440 }];
const translated = languages.filter((it) => it !== 'en');

/** Every state in turn, with what is wrong with its boxes. */
async function walk(
  operator: Operator,
  url: string,
  states: readonly ScreenState[],
  folder: string,
  also?: (state: ScreenState) => Promise<void>,
) {
  const { page } = operator;
  const found: string[] = [];
  // Keys act on what the queue holds, which is read once the stream is there.
  await expect(page.locator('.queue').getByRole('listitem').first()).toBeVisible();
  for (const state of states) {
    await show(operator, url, state);
    const faults = [...(await boxFaults(page)), ...(await hiddenScrollers(page))];
    found.push(...faults.map((fault) => `${state.name}, ${folder}: ${fault}`));
    await also?.(state);
    if (pictures === undefined) continue;
    for (const theme of ['light', 'dark']) {
      await page.evaluate((name) => (document.documentElement.dataset['theme'] = name), theme);
      mkdirSync(join(pictures, folder, theme), { recursive: true });
      const path = join(pictures, folder, theme, `${state.name.replaceAll(' ', '-')}.png`);
      await page.screenshot({ path, animations: 'disabled' });
    }
  }
  return found;
}

test.describe('every screen', () => {
  test.beforeEach(async ({ page }) => {
    test.setTimeout(600_000);
    await page.emulateMedia({ reducedMotion: 'reduce' });
  });

  for (const size of sizes) {
    const name = `${size.width}x${size.height}`;
    test(`every screen shows all of its texts and controls at ${name}`, async ({
      host,
      depot,
      operator,
      page,
    }) => {
      const states = await fillScreens(depot);
      await page.setViewportSize(size);
      await operator.openLive(host.url);
      // Axe finds the same whatever the size.
      const also = size === usual ? ({ name: what }: ScreenState) => expectNoFaults(page, what) : undefined;
      expect(await walk(operator, host.url, states, name, also)).toEqual([]);
    });
  }

  for (const language of translated) {
    test(`every screen shows all of its texts and controls at 1366x768 in ${language}`, async ({
      clock,
      host,
      depot,
      operator,
      page,
    }) => {
      const states = await fillScreens(depot);
      await page.setViewportSize(usual);
      await depot.dealer.call('PUT', '/api/v1/users/me/preferences', { preferences: { language } });
      await operator.logIn(host.url);
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await expect(page.locator('.maplibregl-canvas').first()).toBeVisible();
      const today = await walk(operator, host.url, states, language);
      // A day later, when what happened is written with its day.
      clock.behind_ms = -86_400_000;
      await page.goto(`${host.url}/#/live`);
      await page.reload();
      const dated = states.filter(({ hasMoments = false }) => hasMoments);
      const tomorrow = await walk(operator, host.url, dated, `${language}, a day later`);
      expect([...today, ...tomorrow]).toEqual([]);
    });
  }
});
