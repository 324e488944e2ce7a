import { expect, it } from 'vitest';
import { settingsFields } from '../../../server/contract/settings.ts';
import { thresholdGroups, formatNumber, readNumbers } from '../../../renderer/settings/ThresholdsForm.tsx';

const settings = settingsFields.parse({});

it('only what differs is saved, and a decimal comma is a decimal point', () => {
  expect(readNumbers({ offline_s: '600', harsh_braking_ms2: ' 4,5 ' }, settings)).toEqual({
    patch: { harsh_braking_ms2: 4.5 },
    wrong: [],
  });
});

it('the storage limit of all videos is typed in gigabytes', () => {
  expect(formatNumber('video_quota_bytes', { ...settings, video_quota_bytes: 2_500_000_000 })).toBe('2.5');
  expect(readNumbers({ video_quota_bytes: '0,1' }, settings).patch).toEqual({
    video_quota_bytes: 100_000_000,
  });
});

it('the size and time limits of a camera’s video are typed in gigabytes and minutes', () => {
  expect(formatNumber('camera_max_bytes', settings)).toBe('4');
  expect(formatNumber('camera_timeout_s', settings)).toBe('120');
  expect(readNumbers({ camera_max_bytes: '1.5', camera_timeout_s: '0.5' }, settings).patch).toEqual({
    camera_max_bytes: 1_500_000_000,
    camera_timeout_s: 30,
  });
});

it('a field that holds no number is named', () => {
  expect(readNumbers({ offline_s: 'soon', idle_s: '' }, settings).wrong).toEqual(['offline_s', 'idle_s']);
});

it('each number of the contract is in the form, except those that do not concern an operator', () => {
  const shown = new Set<string>(Object.values(thresholdGroups).flat());
  const others = Object.entries(settings)
    .filter(([name, value]) => typeof value === 'number' && !shown.has(name))
    .map(([name]) => name);
  // Backups have a form of their own.
  expect(others).toEqual(['video_min_free_bytes', 'jwt_ttl_s', 'backup_keep']);
});
