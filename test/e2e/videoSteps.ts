import type { Locator, Page } from '@playwright/test';
import { ruleRoutes } from '../../server/contract/rules.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { videoRoutes, type Task } from '../../server/contract/video.ts';
import type { Profile } from '../../server/contract/videoProfiles.ts';
import type { Depot } from './depot.ts';
import { expect, type Operator } from './operator.ts';

const SECOND = 1_000;

/** Orders one channel, so many seconds ago; `at` is a common moment to count from, milliseconds. */
export function order(
  depot: Depot,
  profile: Profile,
  channel: number,
  filter: { agoS: number; at?: number; lengthS?: number; eventId?: string },
): Promise<Task> {
  const to = (filter.at ?? Date.now()) - filter.agoS * SECOND;
  return depot.dealer.ask(videoRoutes.createTask, {
    body: {
      profile_id: profile.profile_id,
      channel,
      from: new Date(to - (filter.lengthS ?? 3) * SECOND).toISOString(),
      to: new Date(to).toISOString(),
      event_id: filter.eventId ?? null,
    },
  });
}

export function addTerminal(depot: Depot, vehicle: Vehicle): Promise<Profile> {
  return depot.dealer.ask(videoRoutes.createProfile, {
    body: { vehicle_id: vehicle.vehicle_id, kind: 'jt1078', channels: [{ channel: 1, name: 'Front' }] },
  });
}

export async function openQueue({ page }: Operator): Promise<Locator> {
  await page.getByRole('link', { name: 'Video' }).click();
  // Its code comes when the place is first opened; until then, its keys mean nothing.
  await expect(page.getByRole('region', { name: 'Video requests' })).toBeVisible();
  await page.keyboard.press('q');
  const queue = page.getByRole('region', { name: 'All video requests' });
  await expect(queue).toBeVisible();
  return queue;
}

/** The rules of a new depot order video by themselves, which is not what every test is about. */
export async function keepRulesFromRecording(depot: Depot): Promise<void> {
  const { items } = await depot.dealer.ask(ruleRoutes.list);
  for (const { rule_id, video } of items) {
    if (video === null) continue;
    await depot.dealer.ask(ruleRoutes.patch, { params: { rule_id }, body: { video: null } });
  }
}

/** The rows under the head. */
export const rows = (page: Page) =>
  page
    .getByRole('grid', { name: 'All video requests' })
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') });
/** By a text with its case: in "Sun 29 Nov 23:59:30" there is a "v 2". */
export const row = (page: Page, text: string) => rows(page).filter({ hasText: new RegExp(text) });
export const statusOf = async (depot: Depot, { task_id }: Task) =>
  (await depot.dealer.ask(videoRoutes.getTask, { params: { task_id } })).status;

/** Takes another one of a list that opens; within the dialog or group that has such a field. */
export async function choose(where: Locator, label: string, option: string): Promise<void> {
  await where.getByRole('button', { name: new RegExp(label) }).click();
  await where.page().getByRole('option', { name: option, exact: true }).click();
}
