import { expect, test } from 'vitest';
import type { Profile } from '../../../../server/contract/videoProfiles.ts';
import { readOrderForm, type OrderForm } from '../../../../renderer/video/requests/orderForm.ts';

const profile: Profile = {
  profile_id: '00000000-0000-4000-8000-0000000000aa',
  vehicle_id: '00000000-0000-4000-8000-000000000017',
  terminal_id: '1017',
  name: null,
  kind: 'simulated',
  channels: [
    { channel: 1, name: 'Front' },
    { channel: 2, name: 'Cabin' },
  ],
  connection: {},
  online: true,
  version: 1,
  created_at: '2026-11-19T11:00:00.000Z',
  updated_at: '2026-11-19T11:00:00.000Z',
};
const now = Date.parse('2026-11-19T11:06:00Z');
const rules = { timeZone: 'Europe/Berlin', now, before_s: 15, after_s: 20, max_s: 600 };
const form: OrderForm = {
  profile,
  channels: new Set([2]),
  when: 'span',
  date: '2026-11-19',
  from: '12:03:18',
  to: '12:04:18',
  eventId: null,
};
const t = (key: string) => key;

test('the request form requests the chosen channels for the period', () => {
  expect(readOrderForm(form, rules, t)).toEqual({
    filter: {
      profileId: profile.profile_id,
      channels: [2],
      from: Date.parse('2026-11-19T11:03:18Z'),
      to: Date.parse('2026-11-19T11:04:18Z'),
      eventId: null,
    },
  });
});

test('the request form requests the configured seconds around now', () => {
  expect(readOrderForm({ ...form, when: 'around' }, rules, t)).toMatchObject({
    filter: { from: now - 15_000, to: now + 20_000 },
  });
});

test('the request form takes an end before the beginning for one of the next day', () => {
  expect(readOrderForm({ ...form, from: '23:59:30', to: '00:00:30' }, rules, t)).toMatchObject({
    filter: { from: Date.parse('2026-11-19T22:59:30Z'), to: Date.parse('2026-11-19T23:00:30Z') },
  });
});

test('the request form says what is wrong, field by field', () => {
  expect(readOrderForm({ ...form, date: 'today', from: '1', to: '12:61' }, rules, t)).toEqual({
    faults: {
      date: 'video_request.date_wrong',
      from: 'video_request.time_wrong',
      to: 'video_request.time_wrong',
    },
  });
  expect(readOrderForm({ ...form, to: form.from }, rules, t)).toEqual({
    faults: { to: 'video_request.to_wrong' },
  });
  expect(readOrderForm({ ...form, to: '12:14:00' }, rules, t)).toEqual({
    faults: { to: 'video_request.too_long' },
  });
});
