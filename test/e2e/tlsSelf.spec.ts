import { startConsoleHost } from './depot.ts';
import { expect, Operator, test } from './operator.ts';

// What a dispatcher clicks through once, or never where the certificate was installed.
test.use({ ignoreHTTPSErrors: true });

test(
  'the console works over the certificate that the host has signed itself',
  { tag: '@browser' },
  async ({ page }) => {
    const host = await startConsoleHost({ settings: { tlsSelf: true } });
    try {
      await new Operator(page).logIn(`${host.url}/#/settings?tab=terminals`);
      await expect(page.locator('.top-bar')).toContainText('Live');
      await expect(page.getByRole('row', { name: /Wialon IPS/ })).toContainText('nothing yet');
      // What needs a page that the browser trusts: the clipboard, notifications, saved videos.
      expect(await page.evaluate(() => window.isSecureContext)).toBe(true);
      await page.reload();
      await expect(page.getByRole('tab', { name: 'Terminals', selected: true })).toBeVisible();
    } finally {
      await host.close();
    }
  },
);
