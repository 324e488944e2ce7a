import type { Profile } from '../../../server/contract/video.ts';
import type { OrderWish } from '../placeOrder.ts';
import type { Say, TextKey } from '../../i18n/text.ts';
import { momentOf, readDate, readTime } from '../../format/depotMoment.ts';

/** An order as it is typed. */
export interface OrderForm {
  profile: Profile;
  channels: ReadonlySet<number>;
  when: 'around' | 'span';
  date: string;
  from: string;
  to: string;
  /** The event that it is about; null for none. */
  eventId: string | null;
}

export interface OrderRules {
  timeZone: string;
  /** The server's time, milliseconds. */
  now: number;
  /** Seconds before and after a moment, and how long an order may be. */
  before_s: number;
  after_s: number;
  max_s: number;
}

export type OrderFaults = Partial<Record<'date' | 'from' | 'to', string>>;

/** The order out of the form, or what is wrong with it. An end before the beginning is of the next day. */
export function readOrderForm(
  form: OrderForm,
  rules: OrderRules,
  say: Say,
): { wish: OrderWish } | { faults: OrderFaults } {
  const common = {
    profileId: form.profile.profile_id,
    channels: form.profile.channels.map((it) => it.channel).filter((it) => form.channels.has(it)),
    eventId: form.eventId,
  };
  if (form.when === 'around') {
    const { now, before_s, after_s } = rules;
    return { wish: { ...common, from: now - before_s * 1_000, to: now + after_s * 1_000 } };
  }
  const day = readDate(form.date);
  const fromS = readTime(form.from);
  const toS = readTime(form.to);
  const wrong = (isWrong: boolean, key: 'date' | 'from' | 'to', text: TextKey): OrderFaults =>
    isWrong ? { [key]: say(text) } : {};
  if (day === null || fromS === null || toS === null) {
    return {
      faults: {
        ...wrong(day === null, 'date', 'order.date_wrong'),
        ...wrong(fromS === null, 'from', 'order.time_wrong'),
        ...wrong(toS === null, 'to', 'order.time_wrong'),
      },
    };
  }
  const from = momentOf(day, fromS, rules.timeZone);
  const overnight = toS < fromS ? { ...day, day: day.day + 1 } : day;
  const to = momentOf(overnight, toS, rules.timeZone);
  if (to <= from) return { faults: { to: say('order.to_wrong') } };
  if (to - from > rules.max_s * 1_000) {
    return { faults: { to: say('order.too_long', { minutes: Math.floor(rules.max_s / 60) }) } };
  }
  return { wish: { ...common, from, to } };
}
