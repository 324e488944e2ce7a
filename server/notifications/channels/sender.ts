import type { Cause } from '../../contract/causes.ts';
import { causeOf, said } from '../../contract/causeTexts.ts';
import type { DriverThen } from '../../contract/drivers.ts';
import type { Notification } from '../../contract/notifications.ts';
import type { Place } from '../../contract/places.ts';
import type { Wording } from '../../contract/texts/serverWords.ts';
import type { DeliveryRow } from '../../store/telemetry/rows.ts';
import type { Target } from '../ruleChannels.ts';
import type { Clock } from '../../clock.ts';

/** A message to a recipient outside the console. */
export interface Message {
  /** `escalation`: nobody has acknowledged it in time. */
  type: 'notification' | 'escalation' | 'test';
  /** The same at each try, so that a receiver can drop what it has. */
  delivery_id: string;
  /** A URL or a mail address. */
  target: string;
  /** The name of the depot, and the time zone that its people live by. */
  depot: string;
  timezone: string;
  /** Of a mail, as whoever is to read it has set it; left out: English and kilometres. */
  wording?: Wording;
  /** What happened, in one line. */
  text: string;
  /** Null in a test. */
  notification: Notification | null;
  /** The address where it began, by the map files; null where none is near, or when it did not come in time. */
  place: Place | null;
  /** The other notifications of the same mail: how many, and the first of them. */
  more?: { count: number; listed: { time: string; text: string; place: string | null; rule: string }[] };
  /** Which step of how many, and those in whose place it came; null: it is none. */
  escalation: { step: number; steps: number; missed: number[] } | null;
  rule: { rule_id: string; name: string; version: number };
  /** Null in a test, and when the vehicle was deleted meanwhile. */
  vehicle: { vehicle_id: string; terminal_id: string; name: string; plate: string | null } | null;
  /** Who drove it then, by a card, an assignment or the vehicle's own field; null: nobody is named. */
  driver: DriverThen | null;
}

/** What became of one try. */
export type SendResult =
  | { outcome: 'sent'; detail: string; causes?: Cause[] }
  /** For good: the same would be answered again. */
  | { outcome: 'refused'; detail: string; causes?: Cause[] }
  | {
      outcome: 'later';
      detail: string;
      causes?: Cause[];
      /** What the receiver asks for; null when it does not. */
      retryAfterS: number | null;
      /** Nobody took the message, so the fault lies with the receiver and not with what it was sent. */
      isUnreachable: boolean;
    };

/** Never rejects but with the signal's reason. */
export type Send = (message: Message, signal: AbortSignal) => Promise<SendResult>;
export type Senders = Record<DeliveryRow['channel'], Send>;

/** Senders that ask first whether a place may receive at all: the one way by which anything leaves the console. */
export function toApprovedAlone(send: Senders, mayReceive: (target: Target) => boolean): Senders {
  const guarded =
    (channel: DeliveryRow['channel']): Send =>
    (message, signal) =>
      mayReceive({ channel, target: message.target })
        ? send[channel](message, signal)
        : Promise.resolve(notApproved);
  return { webhook: guarded('webhook'), email: guarded('email') };
}

const notApproved: SendResult = {
  outcome: 'refused',
  ...said(causeOf('delivery.not_approved')),
};

export function away(cause: Cause): SendResult {
  return { outcome: 'later', ...said(cause), retryAfterS: null, isUnreachable: true };
}

/**
 * Runs something that ends when its signal is aborted; after `ms` it is, and `late` is answered in its place. The outer
 * signal's reason is thrown.
 */
export async function withDeadline<T>(
  clock: Pick<Clock, 'after'>,
  ms: number,
  outer: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
  late: () => T,
): Promise<T> {
  outer.throwIfAborted();
  const own = new AbortController();
  const stopTimer = clock.after(ms, () => own.abort());
  try {
    return await run(AbortSignal.any([outer, own.signal]));
  } catch (error) {
    outer.throwIfAborted();
    if (own.signal.aborted) return late();
    throw error;
  } finally {
    stopTimer();
  }
}
