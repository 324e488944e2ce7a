import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { Channel, EscalationStep, NotificationEscalation } from '../../server/contract/escalation.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { formatAge } from '../format/age.ts';
import type { Translate } from '../i18n/text.ts';
import { useT } from '../i18n/useT.ts';

interface Reach {
  channels: readonly Channel[];
  on_duty: boolean;
  /** Names; null for a user whom this one does not know by name. */
  people: readonly (string | null)[];
  /** Email addresses beside these people, by themselves or their number. */
  addresses: readonly string[] | number;
}

/** By what and to whom a step sends: "console, email" and "who is on duty, M. Braun", and who comes first of how many. */
function reachWords({ channels, on_duty, people, addresses }: Reach, t: Translate) {
  const count = typeof addresses === 'number' ? addresses : addresses.length;
  const who = [
    ...(on_duty ? [t('escalation.on_duty_short')] : []),
    ...people.map((name) => name ?? t('user.another')),
    ...(typeof addresses !== 'number'
      ? addresses
      : count === 0
        ? []
        : [t('escalation.addresses', { count })]),
    ...(channels.includes('webhook') ? [t('escalation.receiver')] : []),
  ];
  // A webhook is named as a receiver unless nothing else is sent.
  const by = channels.length > 1 ? channels.filter((it) => it !== 'webhook') : channels;
  const [first = ''] = who;
  const others =
    who.length - 1 + (typeof addresses === 'number' && count > 0 && who.length > 1 ? count - 1 : 0);
  return {
    channels: by.map((it) => t(`escalation.channel.${it}`)).join(', '),
    who: who.join(', '),
    ...{ first, others },
  };
}

/** What a step does, in one line: "After 5 min: console, email to who is on duty". */
export function stepWords(
  step: Pick<EscalationStep, 'after_min' | 'channels' | 'on_duty' | 'email_to'>,
  people: readonly (string | null)[],
  t: Translate,
): string {
  const span = formatAge(step.after_min * 60_000);
  const addresses = step.channels.includes('email') ? step.email_to : [];
  const words = reachWords({ ...step, people, addresses }, t);
  if (words.who === '' || words.channels === '') return t('escalation.preview_none', { span });
  return t('escalation.preview', { span, ...words });
}

/** What comes next for a notification. */
export interface NextWords {
  /** "in 2 min: email to M. Braun, P. Vidal" */
  whole: string;
  /** "in 2 min: M. Braun", which is whom it reaches first, */
  brief: string;
  /** and how many besides. */
  others: number;
}

/** Null where nothing comes, or while it is snoozed. */
export function nextWords(
  { next, next_at }: Pick<NotificationEscalation, 'next' | 'next_at'>,
  now: number,
  t: Translate,
): NextWords | null {
  if (next === null || next_at === null) return null;
  const reach = reachWords({ ...next, people: next.people.map((it) => it.name) }, t);
  const { first: who, others } = reach;
  const left_ms = Date.parse(next_at) - now;
  if (left_ms <= 0)
    return { whole: t('escalation.next_due', reach), brief: t('escalation.brief_due', { who }), others };
  // A minute that has begun counts: "in 2 min" is not yet "in 1 min".
  const shown_ms =
    left_ms > 60_000 ? Math.ceil(left_ms / 60_000) * 60_000 : Math.ceil(left_ms / 1_000) * 1_000;
  const span = formatAge(shown_ms);
  const brief = t('escalation.brief', { span, who });
  return { whole: t('escalation.next', { span, ...reach }), brief, others };
}

/** The same, counting down. */
export function useNextWords(escalation: NotificationEscalation | null): NextWords | null {
  const { serverTime } = useAppContext();
  const t = useT();
  return useStore(
    serverTime.ticks,
    useShallow(({ now }) => (escalation === null ? null : nextWords(escalation, now, t))),
  );
}
