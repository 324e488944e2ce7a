import type { ServerResponse } from 'node:http';
import type { ChosenTopic } from '../contract/stream.ts';
import type { Viewer } from '../http/viewer.ts';
import { frame, textFor, type StreamItem } from './streamItem.ts';

/** A listener that falls so far behind what happens is cut off; it comes back and is told what it missed. */
const mostUnsentBytes = 8 * 1024 * 1024;
/** What may happen while a listener is still told the past; beyond, it begins anew. */
const mostKept = 50_000;

export interface Listener {
  readonly viewer: Viewer;
  wants(topic: ChosenTopic): boolean;
  /** Sends a frame of the beginning (the snapshot, the past) as fast as the listener takes it in. */
  begin(text: string): Promise<void>;
  /** The same with an item of the past, unless it is not for this viewer. */
  replay(item: StreamItem): Promise<void>;
  /** Sends what happens now; while the beginning is being sent it is kept until that is done. */
  offer(item: StreamItem): void;
  /** The same with a ready frame. */
  tell(text: string): void;
  /** The past has been sent up to `seq`: what was kept follows and then what comes, without what is in it already. */
  goLive(seq: number): Promise<void>;
  isGone(): boolean;
  end(): void;
}

/** @param epoch what stands before the number in the ids of this listener */
export function createListener(
  response: ServerResponse,
  viewer: Viewer,
  topics: readonly ChosenTopic[] | undefined,
  epoch: string,
): Listener {
  let kept: (StreamItem | string)[] | null = [];
  /** What the listener knows already. */
  let told_seq = 0;
  const chosen = topics === undefined ? null : new Set<string>(topics);
  const isGone = () => response.writableEnded || response.destroyed;

  /** What was stored before the beginning was read may be offered after it: the store answers readers at once. */
  const isTold = ({ seq }: StreamItem) => seq !== null && seq <= told_seq;

  function textOf(item: StreamItem): string | null {
    if (chosen !== null && !chosen.has(item.topic)) return null;
    const json = textFor(item, viewer);
    return json === null ? null : frame(item.topic, json, item.seq === null ? null : `${epoch}.${item.seq}`);
  }

  async function begin(text: string | null): Promise<void> {
    if (text !== null && !isGone() && !response.write(text)) await drained(response);
  }

  function live(text: string | null): void {
    if (text === null || isGone()) return;
    response.write(text);
    if (response.writableLength > mostUnsentBytes) response.destroy();
  }

  function keep(what: StreamItem | string): void {
    kept?.push(what);
    if ((kept?.length ?? 0) > mostKept) response.destroy();
  }

  return {
    viewer,
    isGone,
    wants: (topic) => chosen === null || chosen.has(topic),
    begin,
    replay: (item) => begin(textOf(item)),
    offer(item) {
      if (kept !== null) keep(item);
      else if (!isTold(item)) live(textOf(item));
    },
    tell(text) {
      if (kept === null) live(text);
      else keep(text);
    },
    async goLive(seq) {
      told_seq = seq;
      // More may be kept while this is sent.
      for (let next = kept?.shift(); next !== undefined; next = kept?.shift()) {
        if (typeof next === 'string') await begin(next);
        else if (!isTold(next)) await begin(textOf(next));
      }
      kept = null;
    },
    end() {
      response.end();
    },
  };
}

/** Resolves when the response takes more, or is gone. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    function go(): void {
      response.off('drain', go);
      response.off('close', go);
      resolve();
    }
    response.once('drain', go);
    response.once('close', go);
  });
}
