import { connectFakeTeltonika, type FakeRecord } from '../support/fakeTeltonika.ts';

/** What one terminal knows in the end, by time. */
export interface Sent {
  /** Records of packets that were answered with their count. */
  acknowledged: Map<number, FakeRecord>;
  /** Records that were sent and not answered, given up or not: the host may have them or not. */
  unanswered: Map<number, FakeRecord>;
}

export interface StubbornTeltonika {
  readonly sent: ReadonlyMap<string, Sent>;
  /** Goes on with the host at this port; resolves when so many more records have been acknowledged. */
  talkTo(port: number, acknowledgements: number): Promise<void>;
  /** Resolves when what is under way has been answered, or never will be. */
  hush(): Promise<void>;
}

/**
 * Terminals that send packet after packet, each when the one before is answered; one whose connection broke before the
 * answer is sent again, or given up by those that have lost patience.
 */
export function createStubbornTeltonika(
  imeis: readonly string[],
  packetOf: (imei: string, at: number) => FakeRecord[],
  patient: () => boolean,
): StubbornTeltonika {
  const sent = new Map(
    imeis.map((id): [string, Sent] => [id, { acknowledged: new Map(), unanswered: new Map() }]),
  );
  const next = new Map<string, number>();
  let isTalking = false;
  let talks: Promise<unknown> = Promise.resolve();

  async function talk(
    imei: string,
    kept: Sent,
    port: number,
    onAnswer: (records: number) => void,
  ): Promise<void> {
    const terminal = await connectFakeTeltonika({ port, imei });
    if ((await terminal.logIn()) !== 1) throw new Error(`${imei} was refused`);
    while (isTalking) {
      const at = next.get(imei) ?? 0;
      const records = packetOf(imei, at);
      const into = await terminal.send(records, 0x8e).then(
        (count) => {
          if (count !== records.length) throw new Error(`${count} of ${records.length} were acknowledged`);
          return kept.acknowledged;
        },
        () => null,
      );
      for (const record of records) (into ?? kept.unanswered).set(record.time_ms, record);
      if (into === null && patient()) break;
      next.set(imei, at + 1);
      if (into === null) break;
      onAnswer(records.length);
    }
    terminal.abort();
  }

  return {
    sent,
    async talkTo(port, acknowledgements) {
      isTalking = true;
      let left = acknowledgements;
      await new Promise<void>((resolve, reject) => {
        const onAnswer = (records: number) => {
          left -= records;
          if (left <= 0) resolve();
        };
        talks = Promise.allSettled([...sent].map(([imei, kept]) => talk(imei, kept, port, onAnswer))).then(
          () => reject(new Error('the host is gone')),
        );
      });
    },
    async hush() {
      isTalking = false;
      await talks;
    },
  };
}
