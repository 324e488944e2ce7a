import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from './operator.ts';

/** WCAG 2.2, levels A and AA, with what the earlier versions asked for. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** All that the colours of a theme decide. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** What axe finds fault with, each with its place. */
async function faults(page: Page, theme: 'dark' | 'light'): Promise<string[]> {
  // All of it in the page that is looked at, which the other mode leaves for another page, opened each time, to sum up
  // what it found in frames of other origins. The console has no frames.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await (
    theme === 'dark' ? axe.withTags(TAGS) : axe.withRules(COLOUR_RULES)
  ).analyze();
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
  for (const theme of ['dark', 'light'] as const) {
    await test.step(theme, async () => {
      await page.evaluate((name) => (document.documentElement.dataset['theme'] = name), theme);
      // Colours that are still on their way from one theme to the other, or that light a new row up, are nobody's.
      await page.evaluate(() => {
        for (const animation of document.getAnimations()) animation.finish();
      });
      expect.soft(await faults(page, theme), what === undefined ? theme : `${what}, ${theme}`).toEqual([]);
    });
  }
}
