import { writeFile } from 'node:fs/promises';
import type { FragmentRequest, Terminal, TerminalError } from '../../../server/video/terminals/terminal.ts';

/** What an order names: a stream; `any` where it leaves that to the terminal. */
export type Named = 'sub' | 'main' | 'any';

/** A recorder that sends its clips on request. */
export interface Recorder extends Terminal {
  /** `channel stream` of each order, as they came. */
  asked: string[];
  /** Orders that wait for an answer, oldest first. */
  held: { stream: Named; give: () => void; refuse: (error: TerminalError) => void }[];
  /** Resolves with the next order that waits. */
  nextHeld(): Promise<Recorder['held'][number]>;
  /** Answers each order at once from now on. */
  giveAll(): void;
}

export function createRecorder(clip: Buffer, faults: Partial<Record<Named, TerminalError>> = {}): Recorder {
  const waiting: ((order: Recorder['held'][number]) => void)[] = [];
  let givesAll = false;

  function hold(stream: Named, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const order = { stream, give: resolve, refuse: reject };
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      const next = waiting.shift();
      if (givesAll) resolve();
      else if (next !== undefined) next(order);
      else recorder.held.push(order);
    });
  }

  const recorder: Recorder = {
    asked: [],
    held: [],
    async fetchFragment({ channel, connection, output, signal }: FragmentRequest) {
      const stream = connection.stream ?? 'any';
      recorder.asked.push(`${channel.channel} ${stream}`);
      await hold(stream, signal);
      const fault = faults[stream];
      if (fault !== undefined) throw fault;
      await writeFile(output, clip);
      return null;
    },
    isOnline: () => Promise.resolve(true),
    nextHeld: () =>
      new Promise((resolve) => {
        const order = recorder.held.shift();
        if (order === undefined) waiting.push(resolve);
        else resolve(order);
      }),
    giveAll() {
      givesAll = true;
      for (const order of recorder.held.splice(0)) order.give();
    },
  };
  return recorder;
}
