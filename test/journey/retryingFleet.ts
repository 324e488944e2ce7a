import { createTerminal, type Terminal } from './terminal.ts';

/** One fix of the plan: where a vehicle is at its so-manyth moment. */
export interface PlannedFix {
  time_ms: number;
  lat: number;
  lon: number;
  sos: boolean;
}

/** What one terminal knows in the end. */
export interface Sent {
  /** Fixes that were answered 200. */
  acknowledged: Map<number, PlannedFix>;
  /** Fixes that were sent and given up without an answer: the host may have them or not. */
  unanswered: Map<number, PlannedFix>;
}

/** Terminals that send their plans one fix after the other, and lose patience now and then when the host is gone. */
export interface RetryingFleet {
  readonly sent: ReadonlyMap<string, Sent>;
  /** Goes on with this host; resolves when so many more fixes have been acknowledged. */
  talkTo(intakeUrl: string, acknowledgements: number): Promise<void>;
  /** Resolves when what is under way has been answered, or never will be. */
  hush(): Promise<void>;
}

/**
 * @param patient whether a fix without an answer is sent again, or given up
 */
export function createRetryingFleet(
  plans: ReadonlyMap<string, (at: number) => PlannedFix>,
  patient: () => boolean,
): RetryingFleet {
  const sent = new Map(
    [...plans.keys()].map((id): [string, Sent] => [id, { acknowledged: new Map(), unanswered: new Map() }]),
  );
  const next = new Map<string, number>();
  let line: Terminal | null = null;
  let talks: Promise<unknown> = Promise.resolve();

  /** Until the line breaks or is put down. */
  async function talk(id: string, mine: Terminal, onAnswer: () => void): Promise<void> {
    const plan = plans.get(id);
    const kept = sent.get(id);
    if (plan === undefined || kept === undefined) return;
    while (line === mine) {
      const at = next.get(id) ?? 0;
      const fix = plan(at);
      const { time_ms, lat, lon, sos } = fix;
      let status: number;
      try {
        status = await mine.send({ id, lat, lon, timestamp: time_ms, ...(sos ? { alarm: 'sos' } : {}) });
      } catch {
        if (!patient()) {
          kept.unanswered.set(time_ms, fix);
          next.set(id, at + 1);
        }
        return;
      }
      if (status !== 200) throw new Error(`the intake answered ${status} to ${id}`);
      kept.acknowledged.set(time_ms, fix);
      next.set(id, at + 1);
      onAnswer();
    }
  }

  return {
    sent,
    async talkTo(intakeUrl, acknowledgements) {
      const mine = createTerminal(intakeUrl, plans.size);
      line = mine;
      let left = acknowledgements;
      await new Promise<void>((resolve, reject) => {
        const onAnswer = () => {
          left -= 1;
          if (left === 0) resolve();
        };
        talks = Promise.all([...plans.keys()].map((id) => talk(id, mine, onAnswer))).then(() => {
          mine.close();
          reject(new Error('the host is gone'));
        }, reject);
      });
    },
    async hush() {
      line = null;
      await talks;
    },
  };
}
