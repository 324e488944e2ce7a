/** Takes one byte, answers what is expected next. */
type State = (byte: number) => State;

const LF = 0x0a;
const CR = 0x0d;
const SP = 0x20;
const COLON = 0x3a;
const SEMICOLON = 0x3b;
const QUESTION_MARK = 0x3f;
const DEL = 0x7f;

const REFRESH_PATH = '/auth/refresh';
const FIRST_WORD = 'authorization';
const SECOND_WORD = Buffer.from('refresh:');

/** What a console or a client of the API sends; CONNECT and the rest leave the framing followed here. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The fields that say where a body ends, or that what follows is no HTTP/1.1. */
const FRAMING_FIELDS = new Set(['content-length', 'transfer-encoding', 'upgrade']);

/** Of each byte 1 or 0. The token: RFC 9110 §5.6.2; the text of a value, with bytes above ASCII: §5.5. */
const isTokenByte = byteTable(/^[!#$%&'*+.^_`|~0-9A-Za-z-]$/);
const isTextByte = byteTable(/^[\t\x20-\x7e\x80-\xff]$/);
const isHexDigit = byteTable(/^[0-9A-Fa-f]$/);

// 15 digits stay exact in a double, 12 hexadecimal digits too. No white space behind the value: parsers differ on it.
const CONTENT_LENGTH = /^[ \t]*(\d{1,15})$/;
const CHUNKED = /^[ \t]*chunked$/i;
const CHUNK_SIZE = /^[0-9a-f]{1,12}$/i;

/** The longest word that is compared with anything is `transfer-encoding`; longer ones are known to be none of ours. */
const WORD_LIMIT = 32;

const NOTHING = Buffer.alloc(0);

/**
 * Clients written to the given API send the field `Authorization refresh`, whose name holds a space: no HTTP parser
 * takes it. The rewriter follows the bytes of one connection and turns that space into a dash, in the header of
 * `POST /auth/refresh` and nowhere else. It knows the strict core of HTTP/1.1 only (RFC 9112); whatever lies outside
 * (a bare LF, a folded line, two lengths, an upgrade) makes it pass the rest of the connection on untouched, so that
 * it can never take the inside of a body for a header: the HTTP server's own parser judges such bytes.
 */
export function createRefreshHeaderRewriter() {
  const word = createWord();
  let field = '';
  let isPost = false;
  let isRefresh = false;
  let isHttp10 = false;
  let inQuery = false;
  let inTrailers = false;
  let upgrades = false;
  let chunked = false;
  let contentLength: number | undefined;
  let matched = 0;
  let dataLeft = 0;

  const lost: State = () => lost;

  const requestStart: State = (byte) => {
    inQuery = inTrailers = upgrades = chunked = false;
    contentLength = undefined;
    word.clear();
    return method(byte);
  };

  const method: State = (byte) => {
    if (byte === SP) {
      const name = word.text();
      if (!METHODS.has(name)) return lost;
      isPost = name === 'POST';
      word.clear();
      return target;
    }
    if (isTokenByte[byte] === 0) return lost;
    word.add(byte);
    return method;
  };

  const target: State = (byte) => {
    if (byte === SP) {
      isRefresh = isPost && word.text() === REFRESH_PATH;
      word.clear();
      return version;
    }
    if (byte < SP || byte === DEL) return lost;
    inQuery ||= byte === QUESTION_MARK;
    if (!inQuery) word.add(byte);
    return target;
  };

  const version: State = (byte) => {
    if (byte !== CR) {
      word.add(byte);
      return version;
    }
    const text = word.text();
    isHttp10 = text === 'HTTP/1.0';
    return isHttp10 || text === 'HTTP/1.1' ? lineEnd : lost;
  };

  const lineEnd: State = (byte) => (byte === LF ? lineStart : lost);

  const lineStart: State = (byte) => {
    if (byte === CR) return blockEnd;
    word.clear();
    return fieldName(byte);
  };

  const fieldName: State = (byte) => {
    if (byte === COLON) {
      if (word.isEmpty()) return lost;
      field = word.text().toLowerCase();
      word.clear();
      return FRAMING_FIELDS.has(field) ? framingValue : plainValue;
    }
    if (byte === SP && isRefresh && !inTrailers && word.text().toLowerCase() === FIRST_WORD) {
      matched = 0;
      return secondWord;
    }
    if (isTokenByte[byte] === 0) return lost;
    word.add(byte);
    return fieldName;
  };

  const secondWord: State = (byte) => {
    const wanted = SECOND_WORD[matched];
    const isUpperCase = byte >= 0x41 && byte <= 0x5a;
    if ((isUpperCase ? byte | 0x20 : byte) !== wanted) return lost;
    matched += 1;
    return matched < SECOND_WORD.length ? secondWord : plainValue;
  };

  /** `push` skips the text itself; this sees what ends it. */
  const plainValue: State = (byte) => (byte === CR ? lineEnd : lost);

  const framingValue: State = (byte) => {
    if (byte === CR) return understandField() ? lineEnd : lost;
    if (isTextByte[byte] === 0) return lost;
    word.add(byte);
    return framingValue;
  };

  /** Notes what the field says of the framing; false where servers could read it in two ways. */
  function understandField(): boolean {
    if (inTrailers) return false;
    if (field === 'upgrade') {
      upgrades = true;
      return true;
    }
    if (chunked || contentLength !== undefined) return false;
    if (field === 'transfer-encoding') {
      chunked = CHUNKED.test(word.text());
      return chunked && !isHttp10;
    }
    const digits = CONTENT_LENGTH.exec(word.text())?.[1];
    if (digits === undefined) return false;
    contentLength = Number(digits);
    return true;
  }

  const blockEnd: State = (byte) => {
    if (byte !== LF || upgrades) return lost;
    if (inTrailers) return requestStart;
    if (chunked) return chunkStart;
    dataLeft = contentLength ?? 0;
    return dataLeft > 0 ? data : requestStart;
  };

  const chunkStart: State = (byte) => {
    word.clear();
    return chunkSize(byte);
  };

  const chunkSize: State = (byte) => {
    if (isHexDigit[byte] === 1) {
      word.add(byte);
      return chunkSize;
    }
    const digits = word.text();
    if ((byte !== CR && byte !== SEMICOLON) || !CHUNK_SIZE.test(digits)) return lost;
    dataLeft = Number.parseInt(digits, 16);
    return byte === CR ? chunkLineEnd : chunkExtension;
  };

  const chunkExtension: State = (byte) => {
    if (byte === CR) return chunkLineEnd;
    return isTextByte[byte] === 1 ? chunkExtension : lost;
  };

  const chunkLineEnd: State = (byte) => {
    if (byte !== LF) return lost;
    inTrailers = dataLeft === 0;
    return inTrailers ? lineStart : data;
  };

  const chunkEnd: State = (byte) => (byte === CR ? chunkEndLine : lost);
  const chunkEndLine: State = (byte) => (byte === LF ? chunkStart : lost);

  /** Skipped as a whole by `push`, not byte by byte. */
  const data: State = () => data;

  let state = requestStart;
  let buffered = NOTHING;

  return {
    /**
     * The bytes to pass on now, in order: views of `chunk`, which is not written to. At most the 8 bytes of an
     * unfinished " refresh" stay behind until the next call.
     */
    push(chunk: Buffer): Buffer[] {
      if (state === lost) return chunk.length > 0 ? [chunk] : [];
      const bytes = buffered.length > 0 ? Buffer.concat([buffered, chunk]) : chunk;
      const out: Buffer[] = [];
      let at = buffered.length;
      let passedOn = 0;
      let space = 0;
      while (at < bytes.length && state !== lost) {
        if (state === data) {
          const taken = Math.min(dataLeft, bytes.length - at);
          at += taken;
          dataLeft -= taken;
          if (dataLeft === 0) state = chunked ? chunkEnd : requestStart;
          continue;
        }
        if (state === plainValue) {
          at = endOfText(bytes, at);
          if (at === bytes.length) break;
        }
        const before = state;
        state = state(bytes[at] ?? 0);
        if (before !== state) {
          if (state === secondWord) space = at;
          if (before === secondWord && state === plainValue) {
            out.push(bytes.subarray(passedOn, space), Buffer.from('-'));
            passedOn = space + 1;
          }
        }
        at += 1;
      }
      const until = state === secondWord ? space : bytes.length;
      // A copy, so that eight bytes do not keep the whole chunk in memory.
      buffered = Buffer.from(bytes.subarray(until));
      out.push(bytes.subarray(passedOn, until));
      return out.filter((piece) => piece.length > 0);
    },

    /** What stayed behind; to be called once, when the input has ended. */
    end(): Buffer[] {
      const rest = buffered;
      state = lost;
      buffered = NOTHING;
      return rest.length > 0 ? [rest] : [];
    },
  };
}

/** A text as it comes in byte by byte, of which no more than `WORD_LIMIT` bytes are kept: a longer one reads as ''. */
function createWord() {
  const bytes = Buffer.alloc(WORD_LIMIT);
  let length = 0;
  return {
    clear(): void {
      length = 0;
    },
    add(byte: number): void {
      if (length < WORD_LIMIT) bytes[length] = byte;
      length += 1;
    },
    isEmpty(): boolean {
      return length === 0;
    },
    text(): string {
      return length <= WORD_LIMIT ? bytes.toString('latin1', 0, length) : '';
    },
  };
}

function byteTable(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (pattern.test(String.fromCharCode(byte)) ? 1 : 0));
}

function endOfText(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && isTextByte[bytes[at] ?? 0] === 1) at += 1;
  return at;
}
