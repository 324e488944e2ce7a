import { describe, expect, it } from 'vitest';
import type { Rule } from '../../../server/contract/rules.ts';
import { createI18n, createTranslate } from '../../../renderer/i18n/text.ts';
import { ruleChanges, ruleLines } from '../../../renderer/notifications/WhyRule.tsx';

const names = {
  t: createTranslate(createI18n()),
  geofence: (id: string) => (id === 'g1' ? 'Depot North' : null),
  user: (id: string) => (id === 'u1' ? 'M. Braun' : null),
};
const rule: Rule = {
  rule_id: 'r1',
  name: 'Ring road 60',
  event_kind: 'overspeed',
  scope: { all: true },
  geozone_ids: ['g1'],
  params: { limit_kmh: 60 },
  schedule: null,
  severity: 'warning',
  quiet: false,
  sound: 'default',
  channels: ['desktop'],
  webhook_url: null,
  email_to: [],
  video: null,
  escalation: null,
  cooldown_s: 300,
  opens_incident: false,
  enabled: true,
  disabled_reason: null,
  owner_id: null,
  version: 1,
  created_at: '2026-11-21T12:00:00.000Z',
  updated_at: '2026-11-21T12:00:00.000Z',
};
const plain = (text: string) => text.replaceAll('\u00a0', ' ');
const changes = (now: Partial<Rule>) =>
  ruleChanges(rule, { ...rule, version: 2, ...now }, names).map(
    ({ label, then, now: later }) => `${label}: ${plain(then)} → ${plain(later)}`,
  );

describe('the list of a rule’s changes', () => {
  it('the list of a rule’s changes is nothing when only its stamps are others', () => {
    expect(changes({ updated_at: '2026-11-22T12:00:00.000Z' })).toEqual([]);
  });

  it('the list of a rule’s changes is field by field, then and now', () => {
    expect(changes({ params: { limit_kmh: 70 } })).toEqual(['Limit: 60 km/h → 70 km/h']);
    expect(changes({ params: {}, severity: 'alarm' })).toEqual([
      'Severity: warning → alarm',
      'Limit: 60 km/h → not set',
    ]);
    expect(changes({ geozone_ids: [], cooldown_s: 90 })).toEqual([
      'Geofences: Depot North → not set',
      'Cool-down: 5 min → 1 min 30 s',
    ]);
    expect(changes({ scope: { vehicle_ids: ['v1', 'v2'], group_ids: [] }, enabled: false })).toEqual([
      'Vehicles: all → 2 vehicles',
      'Status: not set → switched off',
    ]);
  });

  it('the list of a rule’s changes says when a rule holds in days that follow each other', () => {
    const schedule = {
      timezone: 'Europe/Berlin',
      ranges: [{ days: [5, 1, 2, 4, 3, 7], from: '22:00', to: '06:00' }],
    };
    expect(changes({ schedule })).toEqual([
      'Active hours: not set → Mon – Fri, Sun 22:00 – 06:00 (Europe/Berlin)',
    ]);
  });
});

describe('a rule in lines', () => {
  it('a rule in lines leaves out what it does not say', () => {
    const labels = ruleLines(rule, names).map((line) => line.label);
    expect(labels).toContain('Limit');
    expect(labels).not.toContain('Holds');
    expect(labels).not.toContain('Status');
  });
});
