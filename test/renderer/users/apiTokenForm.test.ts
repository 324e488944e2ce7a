import { expect, it } from 'vitest';
import { newApiToken } from '../../../server/contract/apiTokens.ts';
import { newTokenOf, tokenFormOf } from '../../../renderer/users/apiTokenForm.ts';

const none = {
  vehicles: 'none',
  geofences: 'none',
  notifications: 'none',
  reports: 'none',
  video: 'none',
} as const;
const now = Date.UTC(2026, 10, 21, 12);

it('the form of a new API token offers no right beyond those of its owner', () => {
  const { rights } = tokenFormOf(null, { role: 'user', rights: { ...none, vehicles: 'write' } });
  expect(rights).toEqual({ ...none, vehicles: 'read' });
});

it('a new API token without groups reaches all of its owner, and one with full access too', () => {
  const form = { ...tokenFormOf(null, { role: 'dealer', rights: none }), name: ' Sync ', days: 30 };
  const wanted = newTokenOf(form, now);
  expect(wanted).toMatchObject({ name: 'Sync', group_ids: null, expires_at: '2026-12-21T12:00:00.000Z' });
  expect(newApiToken.safeParse(wanted).success).toBe(true);
  const groups = { ...form, group_ids: ['5e0c1d5f-0f0b-4b5c-8f3b-6a1f0f3f2a11'] };
  expect(newTokenOf(groups, now).group_ids).toEqual(groups.group_ids);
  expect(newTokenOf({ ...groups, role: 'dealer' }, now).group_ids).toBeNull();
});
