/** One message of an event stream (WHATWG HTML, section 9.2.6). */
export interface SseMessage {
  event: string;
  data: string;
  /** The last id that the stream gave, also when it came with an earlier message; null before the first. */
  id: string | null;
}

export interface SseParser {
  /** Takes the next bytes, cut anywhere, and calls back for each message that they complete. */
  feed(bytes: Uint8Array): void;
}

export function createSseParser(onMessage: (message: SseMessage) => void): SseParser {
  // ignoreBOM false: one byte order mark at the start is taken off, as the standard says.
  const decoder = new TextDecoder('utf-8');
  let rest = '';
  let skipLineFeed = false;
  let event = '';
  let data: string[] = [];
  let id: string | null = null;

  return {
    feed(bytes) {
      let text = decoder.decode(bytes, { stream: true });
      if (skipLineFeed && text !== '') {
        if (text.startsWith('\n')) text = text.slice(1);
        skipLineFeed = false;
      }
      rest += text;
      for (;;) {
        const end = rest.search(/[\r\n]/);
        if (end === -1) return;
        const line = rest.slice(0, end);
        const isCarriageReturn = rest[end] === '\r';
        let next = end + 1;
        if (isCarriageReturn) {
          // The line feed of a CR LF may still be on its way.
          if (next === rest.length) skipLineFeed = true;
          else if (rest[next] === '\n') next += 1;
        }
        rest = rest.slice(next);
        takeLine(line);
      }
    },
  };

  function takeLine(line: string): void {
    if (line === '') {
      if (data.length > 0) onMessage({ event: event === '' ? 'message' : event, data: data.join('\n'), id });
      event = '';
      data = [];
      return;
    }
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const field = colon === -1 ? line : line.slice(0, colon);
    const raw = colon === -1 ? '' : line.slice(colon + 1);
    const value = raw.startsWith(' ') ? raw.slice(1) : raw;
    if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
    else if (field === 'id' && !value.includes('\0')) id = value;
  }
}
