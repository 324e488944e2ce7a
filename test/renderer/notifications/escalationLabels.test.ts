import { expect, it } from 'vitest';
import type { NotificationEscalation } from '../../../server/contract/escalation.ts';
import { isEscalatedToMe } from '../../../renderer/appContext/startAlarms.ts';
import { createI18n, createTranslate } from '../../../renderer/i18n/text.ts';
import { nextWords, stepWords } from '../../../renderer/notifications/escalationLabels.ts';
import { sampleNotification } from '../samples.ts';

const t = createTranslate(createI18n());
const NOON = '2026-11-21T12:00:00.000Z';
const noon = Date.parse(NOON);

function escalationOf(more: Partial<NotificationEscalation> = {}): NotificationEscalation {
  return {
    steps: 2,
    step: null,
    escalated_at: null,
    to_me: false,
    next_at: new Date(noon + 120_000).toISOString(),
    next: {
      step: 1,
      channels: ['email'],
      on_duty: false,
      people: [{ user_id: 'u1', name: 'M. Braun' }],
      addresses: 0,
    },
    ...more,
  };
}

it('a row says what comes next, to whom, and counts down', () => {
  const said = (after_ms: number) =>
    nextWords(escalationOf(), noon + after_ms, t)?.whole.replaceAll('\u00a0', ' ');
  expect(said(0)).toBe('in 2 min: email to M. Braun');
  expect(said(59_000)).toBe('in 2 min: email to M. Braun');
  expect(said(61_000)).toBe('in 59 s: email to M. Braun');
  expect(said(120_000)).toBe('now: email to M. Braun');
});

it('a row says whom the next step reaches first, and how many others', () => {
  const [braun, vidal] = [
    { user_id: 'u1', name: 'M. Braun' },
    { user_id: 'u2', name: 'P. Vidal' },
  ];
  const step = { step: 1, channels: ['email' as const], on_duty: false, people: [braun], addresses: 0 };
  const briefly = (next: Partial<typeof step>, after_ms = 0) => {
    const words = nextWords(escalationOf({ next: { ...step, ...next } }), noon + after_ms, t);
    return [words?.brief.replaceAll('\u00a0', ' '), words?.others];
  };
  expect(briefly({})).toEqual(['in 2 min: M. Braun', 0]);
  expect(briefly({ people: [braun, vidal] })).toEqual(['in 2 min: M. Braun', 1]);
  expect(briefly({ on_duty: true, people: [braun, vidal], addresses: 12 })).toEqual([
    'in 2 min: who is on duty',
    14,
  ]);
  expect(briefly({ people: [], addresses: 12 }, 120_000)).toEqual(['now: 12 addresses', 0]);
});

it('a row says nothing of an escalation that is snoozed or past its last step', () => {
  expect(nextWords(escalationOf({ next_at: null }), noon, t)).toBeNull();
  expect(nextWords(escalationOf({ next: null }), noon, t)).toBeNull();
});

it('a step in words names duty, people, addresses and webhooks, and a user without a name as another one', () => {
  const step = {
    after_min: 5,
    channels: ['desktop', 'email', 'webhook'] as const,
    on_duty: true,
    email_to: ['a@b.example'],
  };
  expect(
    stepWords({ ...step, channels: [...step.channels] }, ['M. Braun', null], t).replaceAll('\u00a0', ' '),
  ).toBe('After 5 min: console, email to who is on duty, M. Braun, another operator, a@b.example, a webhook');
});

it('a notification is announced again when a step of its escalation reaches this user, once', () => {
  const before = sampleNotification({ escalation: escalationOf() });
  const reached = sampleNotification({
    escalation: escalationOf({ step: 1, escalated_at: NOON, to_me: true }),
  });
  expect(isEscalatedToMe(before, reached)).toBe(true);
  expect(isEscalatedToMe(reached, { ...reached, count: 2 })).toBe(false);
  expect(isEscalatedToMe(before, { ...reached, state: 'acknowledged' })).toBe(false);
  const others = sampleNotification({ escalation: escalationOf({ step: 1, escalated_at: NOON }) });
  expect(isEscalatedToMe(before, others)).toBe(false);
});
