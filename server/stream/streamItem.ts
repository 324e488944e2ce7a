import type { StreamMessage } from '../contract/stream.ts';
import type { Viewer } from '../http/viewer.ts';

/** One message of the stream, and who may see it. */
export interface StreamItem {
  topic: StreamMessage['topic'];
  /** Its number in the log of changes; null for what is not replayed. */
  seq: number | null;
  /** The text of its `data:` line: written when it is first asked for, then kept. */
  json: () => string;
  /** In the place of `json`, where not all read the same. */
  jsonFor?: (viewer: Viewer) => string;
  sees: (viewer: Viewer) => boolean;
  /** For those who could see the resource before and cannot now: that it is gone. */
  gone: { json: string; saw: (viewer: Viewer) => boolean } | null;
}

/** What `item` is to this viewer; null when nothing. */
export function textFor(item: StreamItem, viewer: Viewer): string | null {
  if (item.sees(viewer)) return item.jsonFor?.(viewer) ?? item.json();
  return item.gone?.saw(viewer) === true ? item.gone.json : null;
}

/** One server-sent event; `data` is JSON and so holds no line break. */
export function frame(topic: string, json: string, id: string | null): string {
  return `${id === null ? '' : `id: ${id}\n`}event: ${topic}\ndata: ${json}\n\n`;
}
