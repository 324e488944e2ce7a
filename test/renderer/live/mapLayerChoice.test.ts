import { expect, it } from 'vitest';
import {
  chooseMapLayers,
  isGroupShown,
  mapLayersOf,
  onMapLayers,
} from '../../../renderer/live/mapLayerChoice.ts';
import { createPreferences } from '../../../renderer/settings/preferences.ts';
import { createMemoryStorage } from '../memoryStorage.ts';

function open(userId: string, storage = createMemoryStorage()) {
  return { user: { user_id: userId } as never, preferences: createPreferences(storage), storage };
}

it('a choice of layers is kept for its user and for no other', () => {
  const one = open('u1');
  chooseMapLayers(one, { labels: false });
  chooseMapLayers(one, { hidden_group_ids: ['all'] });
  expect(mapLayersOf(open('u1', one.storage))).toMatchObject({
    labels: false,
    poi: true,
    hidden_group_ids: ['all'],
  });
  expect(mapLayersOf(open('u2', one.storage))).toMatchObject({ labels: true, hidden_group_ids: [] });
});

it('a change of the layers is reported once, and a change of another preference is not', () => {
  const one = open('u1');
  const seen: boolean[] = [];
  onMapLayers(one, ({ trails }) => seen.push(trails));
  one.preferences.setState({ sound: false });
  chooseMapLayers(one, { trails: false });
  expect(seen).toEqual([false]);
});

it('a geofence is shown while one of its groups is, and one without groups belongs to every vehicle', () => {
  expect(isGroupShown({ group_ids: ['north', 'south'] }, ['north'])).toBe(true);
  expect(isGroupShown({ group_ids: ['north'] }, ['north', 'all'])).toBe(false);
  expect(isGroupShown({ group_ids: [] }, ['north'])).toBe(true);
  expect(isGroupShown({ group_ids: [] }, ['all'])).toBe(false);
});
