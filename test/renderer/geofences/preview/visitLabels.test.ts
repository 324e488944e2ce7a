import { describe, expect, it } from 'vitest';
import type { GeofencePreview } from '../../../../server/contract/geofences.ts';
import { createDepotTime } from '../../../../renderer/format/depotTime.ts';
import {
  formatEntered,
  formatLeft,
  previewSentence,
  type Visit,
} from '../../../../renderer/geofences/preview/geofencePreview.ts';
import { createI18n, createTranslate } from '../../../../renderer/i18n/text.ts';

const t = createTranslate(createI18n());
const berlin = createDepotTime('Europe/Berlin');

const visit = (fields: Partial<Visit> = {}): Visit => ({
  vehicle_id: 'v1',
  enter_time: '2026-11-19T11:03:00.000Z',
  exit_time: '2026-11-19T11:44:00.000Z',
  open_start: false,
  open_end: false,
  duration_s: 2_460,
  lat: 52.5,
  lon: 13.4,
  ...fields,
});
const preview = (visits: number, visitors: number): GeofencePreview => ({
  from: '',
  to: '',
  vehicles: 31,
  positions: 1,
  visits,
  visitors,
  items: [],
  truncated: false,
});

describe('a visit in words', () => {
  it('a visit in words is of the depot’s time zone', () => {
    expect(formatEntered(visit(), berlin, t)).toBe('Thu 19 Nov 12:03');
    expect(formatLeft(visit(), berlin, t)).toBe('12:44');
  });

  it('a visit in words counts the midnights between coming and leaving, by the depot’s days', () => {
    const exit_time = '2026-11-19T23:30:00.000Z';
    expect(formatLeft(visit({ exit_time }), berlin, t)).toBe('00:30 +1\u00a0d');
    expect(formatLeft(visit({ exit_time }), createDepotTime('UTC'), t)).toBe('23:30');
  });

  it('a visit in words says which ends are open', () => {
    expect(formatEntered(visit({ open_start: true }), berlin, t)).toBe('earlier');
    expect(formatLeft(visit({ open_end: true }), berlin, t)).toBe('still inside');
  });
});

describe('the trial of a geofence on the past', () => {
  it('the trial of a geofence on the past is summed up in one sentence', () => {
    expect(previewSentence(preview(41, 12), 'in the last 7 days', t)).toBe(
      '41 visits by 12 vehicles in the last 7 days',
    );
    expect(previewSentence(preview(1, 1), 'in the last 24 hours', t)).toBe(
      '1 visit by 1 vehicle in the last 24 hours',
    );
    expect(previewSentence(preview(0, 0), 'in the last 30 days', t)).toBe('No visits in the last 30 days');
  });
});
