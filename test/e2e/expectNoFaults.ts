import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from './operator.ts';

/** WCAG 2.2, levels A and AA, with what the earlier versions asked for. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const THEMES = ['dark', 'light'] as const;

/** What axe finds fault with, each with its place. */
async function faults(page: Page): Promise<string[]> {
  // All of it in the page that is looked at, which the other mode leaves for another page, opened each time, to sum up
  // what it found in frames of other origins. The console has no frames.
  const { violations } = await new AxeBuilder({ page }).withTags(TAGS).setLegacyMode().analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.any[0]?.message ?? node.html}`),
  );
}

/**
 * Everybody can use what is on the screen, in either theme.
 *
 * @param what names the screen where a test looks at several
 */
export async function expectNoFaults(page: Page, what?: string): Promise<void> {
  for (const theme of THEMES) {
    await test.step(theme, async () => {
      await page.evaluate((name) => (document.documentElement.dataset['theme'] = name), theme);
      // Colours that are still on their way from one theme to the other, or that light a new row up, are nobody's.
      await page.evaluate(() => {
        for (const animation of document.getAnimations()) animation.finish();
      });
      expect.soft(await faults(page), what === undefined ? theme : `${what}, ${theme}`).toEqual([]);
    });
  }
}
