import type { ServerResponse } from 'node:http';
import type { Clock } from '../clock.ts';
import type { ChosenTopic } from '../contract/stream.ts';
import type { JsonText } from '../http/serializedJson.ts';
import type { Viewer } from '../http/viewer.ts';
import type { ChangeLog, PositionOrder } from './liveLog.ts';
import type { StreamOwner } from './streamLimits.ts';
import { frame, textFor, type StreamItem } from './streamItems.ts';

/** A message of positions ends with the one that makes it longer than this. */
const positionMessageBytes = 64 * 1024;
const positionsPerMessage = 500;

export interface PositionFrame {
  bytes: Buffer;
  upTo: number;
}

export interface StreamClientParts {
  response: ServerResponse;
  viewer: Viewer;
  owner: StreamOwner;
  topics: readonly ChosenTopic[] | undefined;
  /** Only notifications of the quiet list, or only the others; null: all. */
  quiet: boolean | null;
  /** What stands before the number in the ids of this listener. */
  epoch: string;
  changes: ChangeLog;
  order: PositionOrder;
  /** A vehicle's newest position; null: none, or the viewer does not see it. */
  positionFor: (viewer: Viewer, vehicleId: string) => JsonText | null;
  clock: Pick<Clock, 'monotonic'>;
  /** The client does not take in all that was written. */
  onFull: () => void;
  /** Writes one message of positions when it is this user's turn; false: there is none to write. */
  catchUp: (write: () => boolean) => void;
}

/**
 * One open stream. Nothing is written while its client has not taken in what was written before, so that no more than
 * one message beyond the socket's buffer is ever held for it: what is still to be sent lies in the logs that all
 * streams share, and in them it holds but its place.
 */
export type StreamClient = ReturnType<typeof createStreamClient>;

export function createStreamClient(deps: StreamClientParts) {
  const { response, viewer, epoch, changes, order, clock } = deps;
  const chosen = deps.topics === undefined ? null : new Set<string>(deps.topics);
  const wants = (topic: string) => chosen === null || chosen.has(topic);
  /** What stands in the log before this has been sent, or is none of this listener's. */
  let sent = changes.newest();
  /** What the client knows from its beginning. */
  let publishedSeq = 0;
  let publishedPosition = order.newest();
  let snapshot: { visible: readonly { vehicle_id: string }[]; at: number } | null = null;
  let isLive = false;
  /** Positions are still to be sent that came before the newest. */
  let isBehind = false;
  let full_since_ms: number | null = null;
  let wake = (): void => undefined;
  const isGone = () => response.writableEnded || response.destroyed;
  const isReady = () => full_since_ms === null && !isGone();

  response.on('drain', () => {
    full_since_ms = null;
    wake();
    pump();
  });
  response.on('close', () => {
    // Nothing of the logs is held by a stream that is over.
    sent = changes.newest();
    snapshot = null;
    wake();
  });

  function write(bytes: Buffer): void {
    if (response.write(bytes)) return;
    full_since_ms = clock.monotonic();
    deps.onFull();
  }

  async function begin(text: string | null): Promise<void> {
    if (text === null) return;
    while (full_since_ms !== null && !isGone()) await new Promise<void>((resolve) => (wake = resolve));
    if (!isGone()) write(Buffer.from(text));
  }

  function textOf(item: StreamItem): string | null {
    if (!wants(item.topic)) return null;
    if (deps.quiet !== null && item.isQuiet !== undefined && item.isQuiet !== deps.quiet) return null;
    const json = textFor(item, viewer);
    return json === null ? null : frame(item.topic, json, item.seq === null ? null : `${epoch}.${item.seq}`);
  }

  /** What was stored before the beginning was read may be in the log after it: the store answers readers at once. */
  const isPublished = ({ seq }: StreamItem) => seq !== null && seq <= publishedSeq;

  /** Changes go before positions: of these only the newest count. */
  function pump(): void {
    if (!isLive) return;
    while (isReady() && sent.next !== null) {
      sent = sent.next;
      const text = isPublished(sent.item) ? null : textOf(sent.item);
      if (text !== null) write(Buffer.from(text));
    }
    if (isReady() && hasPositions()) catchUp();
  }

  const hasPositions = () => snapshot !== null || publishedPosition < order.newest();

  function catchUp(): void {
    if (isBehind) return;
    isBehind = true;
    deps.catchUp(() => {
      isBehind = false;
      if (!isReady()) return false;
      const bytes = nextPositions();
      if (bytes === null) return false;
      write(bytes);
      pump();
      return true;
    });
  }

  function nextPositions(): Buffer | null {
    const message = createPositionMessage();
    while (snapshot !== null && !message.isFull()) {
      const vehicle = snapshot.visible[snapshot.at];
      snapshot.at += 1;
      if (vehicle === undefined) snapshot = null;
      else message.add(deps.positionFor(viewer, vehicle.vehicle_id));
    }
    if (!message.isFull()) {
      for (const [vehicleId, number] of order.since(publishedPosition)) {
        publishedPosition = number;
        message.add(deps.positionFor(viewer, vehicleId));
        if (message.isFull()) return message.bytes();
      }
      // Those of vehicles that are gone, too.
      publishedPosition = order.newest();
    }
    return message.bytes();
  }

  return {
    viewer,
    owner: deps.owner,
    /** Two listeners of one epoch may see the same. */
    epoch,
    isGone,
    /** Calls once when the stream is over, at once when it is; returns its undo. */
    onGone(call: () => void): () => void {
      if (response.closed) {
        call();
        return () => undefined;
      }
      response.once('close', call);
      return () => response.off('close', call);
    },
    wants,
    /** Sends a message of the beginning when the client has taken in the one before. */
    begin,
    /** The same with a change of the past, unless it is not for this viewer. */
    replay: (item: StreamItem): Promise<void> => begin(textOf(item)),
    /**
     * The past has been sent up to `seq`: the changes of the log without those that are in it, and the newest positions
     * follow by themselves as the client takes them in.
     */
    goLive(seq: number, visible: readonly { vehicle_id: string }[]): void {
      publishedSeq = seq;
      isLive = true;
      publishedPosition = wants('position') ? order.newest() : Infinity;
      snapshot = wants('position') ? { visible, at: 0 } : null;
      pump();
    },
    /** The log has grown. */
    changed: pump,
    /**
     * Positions have come.
     *
     * @param frames the messages of this viewer, each with the number of its last position
     */
    moved(frames: () => readonly PositionFrame[]): void {
      if (!isLive || !wants('position')) return;
      if (!isReady() || snapshot !== null || isBehind) return;
      for (const { bytes, upTo } of frames()) {
        if (!isReady()) return;
        if (bytes.length > 0) write(bytes);
        publishedPosition = upTo;
      }
    },
    /** Says that the stream is alive, unless the client has more than that to take in. */
    beat(text: string): void {
      if (isLive && isReady()) write(Buffer.from(text));
    },
    /** Bytes that the client has not taken in. */
    unsentBytes: (): number => response.writableLength,
    /** Milliseconds since the client has taken in nothing, while there is something; else 0. */
    unread_ms: (): number => (full_since_ms === null ? 0 : clock.monotonic() - full_since_ms),
    /** Bytes of changes that are still to be sent. */
    behindBytes: (): number => changes.behind(sent),
    isReplaying: (): boolean => !isLive,
    /** Ends it in good order, or cuts it when the client does not read. */
    end(): void {
      if (full_since_ms === null) response.end();
      else response.destroy();
    },
    /** Cuts it; the client resumes by its last id. */
    cut: (): void => void response.destroy(),
  };
}

/** The messages of positions that came together, for one viewer. */
export function positionFrames(
  came: readonly { vehicleId: string; number: number }[],
  positionFor: (vehicleId: string) => JsonText | null,
): PositionFrame[] {
  const frames: PositionFrame[] = [];
  let message = createPositionMessage();
  const close = (upTo: number) => {
    // An empty one means that there is nothing for this viewer up to there.
    frames.push({ bytes: message.bytes() ?? Buffer.alloc(0), upTo });
    message = createPositionMessage();
  };
  for (const { vehicleId, number } of came) {
    message.add(positionFor(vehicleId));
    if (message.isFull()) close(number);
  }
  close(came.at(-1)?.number ?? 0);
  return frames;
}

function createPositionMessage() {
  const texts: string[] = [];
  let size = 0;
  return {
    add(position: JsonText | null): void {
      if (position === null) return;
      texts.push(position.text);
      size += position.size;
    },
    isFull: () => texts.length >= positionsPerMessage || size >= positionMessageBytes,
    bytes: () =>
      texts.length === 0 ? null : Buffer.from(frame('position', `{"positions":[${texts.join(',')}]}`, null)),
  };
}
