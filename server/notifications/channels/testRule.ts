import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { causeOf, said } from '../../contract/causeTexts.ts';
import type { ChannelTest, Rule } from '../../contract/rules.ts';
import { targetsOf, type Target } from '../ruleChannels.ts';
import { withDeadline, away, type Message, type Senders, type SendResult } from './sender.ts';
import type { Messages } from './messages.ts';
import { ApiError } from '../../http/apiError.ts';
import { createWindow, type SlidingWindow } from '../../http/rateLimit.ts';

/** Where a test goes to. */
export interface TestedPlaces extends Pick<Rule, 'channels' | 'webhook_url' | 'email_to'> {
  /** Of a step of an escalation; null: the rule itself. */
  escalation: Message['escalation'];
}

/** Sends a marked test of a rule to each of these places, once and at once, and returns the results. */
export type TestRule = (rule: Rule, places: TestedPlaces) => Promise<ChannelTest['results']>;

/** Somebody waits at the console for the answer. */
const maxTestMs = 15_000;
/** Mail servers take few connections from one host. */
const atOnce = 4;

export function createTestRule(deps: {
  messages: Pick<Messages, 'ofTest'>;
  send: Senders;
  clock: Pick<Clock, 'after' | 'monotonic'>;
}): TestRule {
  const { messages, send, clock } = deps;
  const never = new AbortController().signal;

  async function tried(
    rule: Rule,
    target: Target,
    { escalation }: TestedPlaces,
    end_ms: number,
  ): Promise<ChannelTest['results'][number]> {
    const message = messages.ofTest(rule, target, randomUUID(), escalation);
    const { outcome, detail, causes } = await withDeadline<SendResult>(
      clock,
      Math.max(0, end_ms - clock.monotonic()),
      never,
      (signal) => send[target.channel](message, signal),
      () => away(causeOf('test.too_late', { seconds: maxTestMs / 1_000 })),
    );
    return { ...target, ok: outcome === 'sent', detail, causes };
  }

  async function allTried(rule: Rule, places: TestedPlaces): Promise<ChannelTest['results']> {
    const end_ms = clock.monotonic() + maxTestMs;
    const results: ChannelTest['results'] = [];
    const left = targetsOf(places).entries();
    // They take from one list, so each place is tried once.
    const one = async () => {
      for (const [place, target] of left) results[place] = await tried(rule, target, places, end_ms);
    };
    await Promise.all(Array.from({ length: atOnce }, one));
    return results;
  }

  return async (rule, places) => {
    const desktop: ChannelTest['results'] = places.channels.includes('desktop')
      ? [
          {
            channel: 'desktop',
            target: null,
            ok: true,
            ...said(causeOf('test.desktop')),
          },
        ]
      : [];
    return [...desktop, ...(await allTried(rule, places))];
  };
}

/** Counts one test of a rule, or throws 429 with `Retry-After`. */
export type CountTest = (userId: string) => void;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/**
 * Whoever sets a rule up tries it a few times in a row; more than that is a mailing. All users together may send a few
 * times as much, so that one of them does not keep the others waiting.
 */
export const testLimits = {
  user: { minute: 5, hour: 30 },
  all: { minute: 20, hour: 120 },
};

export function createTestLimits(clock: Pick<Clock, 'monotonic'>): CountTest {
  const window = (limit: number, windowMs: number) => createWindow({ limit, windowMs });
  const ofUser = [window(testLimits.user.minute, minuteMs), window(testLimits.user.hour, hourMs)];
  const ofAll = [window(testLimits.all.minute, minuteMs), window(testLimits.all.hour, hourMs)];

  return (userId) => {
    const now = clock.monotonic();
    const counted: [SlidingWindow, string][] = [
      ...ofUser.map((it): [SlidingWindow, string] => [it, userId]),
      ...ofAll.map((it): [SlidingWindow, string] => [it, 'all']),
    ];
    // A test that one of them refuses is counted by none.
    const wait_s = Math.max(...counted.map(([it, key]) => it.check(key, now).retryAfterS));
    if (wait_s > 0) {
      const { minute, hour } = testLimits.user;
      throw new ApiError(
        'rate_limited',
        `A user may test rules ${minute} times a minute and ${hour} times an hour, all users together ${testLimits.all.minute} and ${testLimits.all.hour} times. Wait ${wait_s} s.`,
        { headers: { 'Retry-After': String(wait_s) } },
      );
    }
    for (const [it, key] of counted) it.count(key, now);
  };
}
