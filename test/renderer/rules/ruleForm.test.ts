import { describe, expect, it } from 'vitest';
import { eventKind } from '../../../server/contract/events.ts';
import { newRule, type NewRule, type Rule } from '../../../server/contract/rules.ts';
import { formOf, isChanged, ruleOf, type RuleForm } from '../../../renderer/rules/ruleForm.ts';

const window = { before_s: 15, after_s: 15 };
const usual = { ...window, mayOrder: true };
const G1 = '00000000-0000-4000-8000-000000000001';
const noon = '2026-11-21T12:00:00.000Z';

function stored(fields: Partial<NewRule>): Rule {
  return {
    ...newRule.parse({ name: 'Rule', event_kind: 'overspeed', scope: { all: true }, ...fields }),
    video: fields.video ?? null,
    rule_id: 'r1',
    disabled_reason: null,
    owner_id: null,
    version: 1,
    created_at: noon,
    updated_at: noon,
  };
}

const read = (form: RuleForm): NewRule => {
  const found = ruleOf(form);
  if ('faults' in found) throw new Error(found.faults.join());
  return found.rule;
};

describe('the form of a rule', () => {
  const rules: Partial<NewRule>[] = [
    { event_kind: 'overspeed', params: { limit_kmh: 62.5, min_duration_s: 10 }, geozone_ids: [G1] },
    { event_kind: 'geofence_dwell', params: { dwell_s: 90 }, severity: 'alarm' },
    { event_kind: 'silent_inside', params: { silent_s: 600 }, cooldown_s: 0 },
    { event_kind: 'idling', params: { min_duration_s: 420 }, scope: { vehicle_ids: [G1], group_ids: [] } },
    { event_kind: 'terminal_alarm', params: { alarms: ['door', 'tampering'] } },
    {
      event_kind: 'sos',
      channels: ['desktop', 'webhook', 'email'],
      webhook_url: 'https://example.org/hook',
      email_to: ['a@example.org', 'b@example.org'],
      video: { before_s: 5, after_s: 20 },
      schedule: { timezone: 'UTC', ranges: [{ days: [1], from: '22:00', to: '06:00' }] },
      enabled: false,
    },
  ];
  it.each(rules)('the form of a rule gives back the rule that it shows: $event_kind', (fields) => {
    const rule = stored(fields);
    const again = read(formOf(rule, usual));
    expect(isChanged(again, rule)).toBe(false);
    expect(newRule.parse(again)).toEqual(again);
  });

  it('the form of a rule sends no parameter and no geofence that the chosen kind does not know', () => {
    const form = formOf(stored({ params: { limit_kmh: 60 }, geozone_ids: [G1] }), usual);
    expect(read({ ...form, event_kind: 'sos' })).toMatchObject({ params: {}, geozone_ids: [] });
  });

  it('the form of a rule requests video as a new alarm, until the user chooses otherwise', () => {
    const form = formOf(null, usual);
    expect(read(form).video).toBeNull();
    expect(read({ ...form, severity: 'alarm' }).video).toEqual(window);
    expect(read({ ...form, severity: 'alarm', hasVideo: false }).video).toBeNull();
    expect(read({ ...form, severity: 'info', hasVideo: true }).video).toEqual(window);
  });

  it('the form of a rule requests no video for a user without that right, and none that a stored alarm does not request', () => {
    const mine = formOf(null, { ...usual, mayOrder: false });
    expect(read({ ...mine, severity: 'alarm' }).video).toBeNull();
    const rule = stored({ severity: 'alarm', video: null });
    expect(isChanged(read(formOf(rule, usual)), rule)).toBe(false);
  });

  it('the form of a rule orders no video of a video', () => {
    const form = { ...formOf(null, usual), hasVideo: true };
    expect(read({ ...form, event_kind: 'video_failed' }).video).toBeNull();
    expect(read({ ...form, event_kind: 'sos' }).video).toEqual(window);
  });

  it('the form of a rule names the fields that hold no number', () => {
    const form = { ...formOf(null, usual), params: { limit_kmh: 'fast' }, cooldown_min: '' };
    expect(ruleOf(form)).toEqual({ faults: ['params.limit_kmh', 'cooldown_s'] });
  });

  it('the form of a rule is made for each kind of event', () => {
    for (const event_kind of eventKind.options) {
      const form = { ...formOf(null, usual), name: 'Rule', event_kind };
      expect(newRule.safeParse(read(form)).success).toBe(true);
    }
  });
});
