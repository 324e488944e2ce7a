import type { Profile } from '../../../server/contract/videoProfiles.ts';
import { spanAround, type VideoRequestInput } from '../createVideoRequest.ts';
import type { Translate, TextKey } from '../../i18n/text.ts';
import { parseDateTime } from '../../../server/contract/localTime.ts';
import { readDate, readTime } from '../../format/depotMoment.ts';

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
  t: Translate,
): { filter: VideoRequestInput } | { faults: OrderFaults } {
  const common = {
    profileId: form.profile.profile_id,
    channels: form.profile.channels.map((it) => it.channel).filter((it) => form.channels.has(it)),
    eventId: form.eventId,
  };
  if (form.when === 'around') {
    return { filter: { ...common, ...spanAround(rules.now, rules, rules.now) } };
  }
  const read = spanOf(form, rules.timeZone);
  if ('faults' in read) {
    return {
      faults: Object.fromEntries(read.faults.map((field) => [field, t(faultText(field, read.isBackwards))])),
    };
  }
  const { from, to } = read.span;
  if (to - from > rules.max_s * 1_000) {
    return { faults: { to: t('video_request.too_long', { minutes: Math.floor(rules.max_s / 60) }) } };
  }
  return { filter: { ...common, from, to } };
}

type SpanField = 'date' | 'from' | 'to';

/** The span that is typed, or the fields that cannot be read. An end before the beginning is of the next day. */
export function spanOf(
  form: Pick<OrderForm, SpanField>,
  timeZone: string,
): { span: { from: number; to: number } } | { faults: SpanField[]; isBackwards: boolean } {
  const day = readDate(form.date);
  const fromS = readTime(form.from);
  const toS = readTime(form.to);
  if (day === null || fromS === null || toS === null) {
    const read = { date: day, from: fromS, to: toS };
    const fields = ['date', 'from', 'to'] as const;
    return { faults: fields.filter((it) => read[it] === null), isBackwards: false };
  }
  const from = parseDateTime(day, fromS, timeZone);
  const overnight = toS < fromS ? { ...day, day: day.day + 1 } : day;
  const to = parseDateTime(overnight, toS, timeZone);
  return to <= from ? { faults: ['to'], isBackwards: true } : { span: { from, to } };
}

function faultText(field: SpanField, isBackwards: boolean): TextKey {
  if (isBackwards) return 'video_request.to_wrong';
  return field === 'date' ? 'video_request.date_wrong' : 'video_request.time_wrong';
}
