import type { StreamMessage } from '../../../server/contract/stream.ts';
import { createFleetStream, type FleetStream } from '../../../renderer/stream/fleetStream.ts';
import type { LinkState } from '../../../renderer/stream/streamReader.ts';
import type { StreamSink } from '../../../renderer/stream/streamSource.ts';

/** A stream that is spoken by hand. */
export interface FakeStream {
  stream: FleetStream;
  /** Once it was started. */
  send: (message: StreamMessage) => void;
  /** The connection is lost, or is there again. */
  link: (link: LinkState) => void;
}

/** Not started yet. */
export function createFakeStream(): FakeStream {
  let sink: StreamSink | null = null;
  const stream = createFleetStream(() => ({
    start(given) {
      sink = given;
      return () => undefined;
    },
    tryNow: () => undefined,
  }));
  const started = (): StreamSink => {
    if (sink === null) throw new Error('the stream was not started');
    return sink;
  };
  return {
    stream,
    send: (message) => started().message(message),
    link: (link) => started().link(link),
  };
}
