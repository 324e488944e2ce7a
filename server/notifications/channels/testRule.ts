import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { ChannelTest, Rule } from '../../contract/rules.ts';
import { targetsOf, type Target } from '../ruleChannels.ts';
import { withDeadline } from './deadline.ts';
import type { Messages } from './messages.ts';
import { away, type Senders, type SendResult } from './sender.ts';

/** Sends a marked test to each target of a rule, once and at once, and returns the results. */
export type TestRule = (rule: Rule) => Promise<ChannelTest['results']>;

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

  async function tried(rule: Rule, target: Target, end_ms: number): Promise<ChannelTest['results'][number]> {
    const message = messages.ofTest(rule, target, randomUUID());
    const { outcome, detail } = await withDeadline<SendResult>(
      clock,
      Math.max(0, end_ms - clock.monotonic()),
      never,
      (signal) => send[target.channel](message, signal),
      () => away(`There was no answer within ${maxTestMs / 1_000} s.`),
    );
    return { ...target, ok: outcome === 'sent', detail };
  }

  async function allTried(rule: Rule): Promise<ChannelTest['results']> {
    const end_ms = clock.monotonic() + maxTestMs;
    const results: ChannelTest['results'] = [];
    const left = targetsOf(rule).entries();
    // They take from one list, so each place is tried once.
    const one = async () => {
      for (const [place, target] of left) results[place] = await tried(rule, target, end_ms);
    };
    await Promise.all(Array.from({ length: atOnce }, one));
    return results;
  }

  return async (rule) => {
    const desktop: ChannelTest['results'] = rule.channels.includes('desktop')
      ? [
          {
            channel: 'desktop',
            target: null,
            ok: true,
            detail: 'The desktop channel is shown by each console itself.',
          },
        ]
      : [];
    return [...desktop, ...(await allTried(rule))];
  };
}
