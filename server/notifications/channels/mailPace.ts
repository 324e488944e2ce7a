import type { DeliveryRow } from '../../store/telemetry/rows.ts';

type Mail = Pick<DeliveryRow, 'rule_id' | 'target'>;

/** `burst` mails at once, then one each `pause_ms`. What waits shares the next mail, so an alarm waits no longer. */
export interface Pace {
  burst: number;
  pause_ms: number;
}

/** One rule mails one address 49 times in the first hour at most, and 30 times in each further one. */
export const paceOfRule: Pace = { burst: 20, pause_ms: 120_000 };
/** All rules together mail one address 119 times in the first hour at most, and 60 times in each further one. */
export const paceOfAddress: Pace = { burst: 60, pause_ms: 60_000 };

/**
 * All rules of one user together send 239 mails in the first hour at most, to whatever addresses, and 120 in each
 * further one: mail servers take some thousand a day, which are the whole depot's.
 */
export const paceOfOwner: Pace = { burst: 120, pause_ms: 30_000 };

/** One address is called 60 times at once and then once a second; a receiver that counts alarms is not held up by it. */
export const paceOfWebhook: Pace = { burst: 60, pause_ms: 1_000 };
/** All webhooks together: 240 at once, then 4 a second. */
export const paceOfWebhooks: Pace = { burst: 240, pause_ms: 250 };

/** Looked through for what is over when so many rules and addresses are known. */
const manyKnown = 10_000;

/** Generic cell rate algorithm (ITU-T I.371): one number for each rule and address. Times are Unix ms. */
export function createMailPace({ burst, pause_ms }: Pace) {
  /** When all of the burst is free again, by rule and address. */
  const wholeAt = new Map<string, Map<string, number>>();
  let known = 0;

  function wholeOf({ rule_id, target }: Mail, now_ms: number): number {
    const at = wholeAt.get(rule_id)?.get(target) ?? now_ms;
    // No burst takes that long: the wall clock was set back.
    return Math.min(at, now_ms + burst * pause_ms);
  }

  function forgetOver(now_ms: number): void {
    for (const [rule_id, targets] of wholeAt) {
      for (const [target, at] of targets) {
        if (at > now_ms) continue;
        targets.delete(target);
        known--;
      }
      if (targets.size === 0) wholeAt.delete(rule_id);
    }
  }

  const freeAt = (mail: Mail, now_ms: number) => wholeOf(mail, now_ms) - (burst - 1) * pause_ms;

  return {
    /** From when on the next mail may be sent; not after `now_ms` when it may be sent at once. */
    freeAt,
    /** Whether a mail that is sent now makes the next one wait. */
    isLast: (mail: Mail, now_ms: number): boolean => freeAt(mail, now_ms) + pause_ms > now_ms,
    spend(mail: Mail, now_ms: number): void {
      if (known >= manyKnown) forgetOver(now_ms);
      const next_ms = Math.max(wholeOf(mail, now_ms), now_ms) + pause_ms;
      const targets = wholeAt.get(mail.rule_id) ?? new Map<string, number>();
      if (!targets.has(mail.target)) known++;
      wholeAt.set(mail.rule_id, targets.set(mail.target, next_ms));
    },
  };
}
