import { createServer } from 'node:http';
import { duplexPair } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRefreshHeaderRewriter } from '../../../server/http/refreshHeader.ts';

const SENT = 'Authorization refresh';
const WANTED = 'Authorization-refresh';

function bytes(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

/** Cuts are positions, in any order; 1 everywhere gives single bytes. */
function rewrite(input: Buffer, cuts: number[] = []): Buffer {
  const rewriter = createRefreshHeaderRewriter();
  const borders = [0, ...cuts.map((cut) => cut % (input.length + 1)), input.length].sort((a, b) => a - b);
  const out: Buffer[] = [];
  for (let i = 1; i < borders.length; i += 1) {
    out.push(...rewriter.push(Buffer.from(input.subarray(borders[i - 1], borders[i]))));
  }
  return Buffer.concat([...out, ...rewriter.end()]);
}

function rewriteText(input: string, cuts?: number[]): string {
  return rewrite(bytes(input), cuts).toString('latin1');
}

function everyByte(input: string): number[] {
  return Array.from(input, (_, index) => index);
}

function refresh({
  line = 'POST /auth/refresh HTTP/1.1',
  name = SENT,
  headers = '',
  body = '',
}: { line?: string; name?: string; headers?: string; body?: string } = {}): string {
  return `${line}\r\nHost: depot\r\n${headers}${name}: JWT a.b.c\r\n\r\n${body}`;
}

/** One request as it is sent, and as it must come out. */
interface Sample {
  raw: string;
  expected: string;
}

const plainName = fc.constantFrom(
  'Accept',
  'X-Trace',
  'Authorization',
  'Cookie',
  'Expect',
  'authorization-refresh',
);
const plainValue = fc.constantFrom('', 'x', '100-continue', `${SENT}: JWT a`, 'tab\there', '\xe9\xff');
const plainFields = fc
  .array(fc.tuple(plainName, plainValue), { maxLength: 4 })
  .map((fields) => fields.map(([name, value]) => `${name}: ${value}\r\n`).join(''));
const letterCase = fc.array(fc.boolean(), { minLength: SENT.length, maxLength: SENT.length });
const content = fc.oneof(
  fc.constantFrom('', refresh(), `${SENT}: x\r\n\r\n`, '\r\n\r\n', `0\r\n\r\n${refresh()}`, `\n${SENT}: y`),
  fc.uint8Array({ maxLength: 60 }).map((data) => Buffer.from(data).toString('latin1')),
);
const extension = fc.constantFrom('', ';a', ';name="Authorization refresh: x"', '; q=1 ;r');
const chunkedBody = fc
  .tuple(fc.array(fc.tuple(content, extension), { maxLength: 4 }), extension, plainFields)
  .map(([chunks, lastExtension, trailers]) => {
    const parts = chunks
      .filter(([data]) => data !== '')
      .map(([data, ext]) => `${data.length.toString(16)}${ext}\r\n${data}\r\n`);
    return `${parts.join('')}0${lastExtension}\r\n${trailers}\r\n`;
  });
const framing = fc.oneof(
  fc.constant({ field: '', body: '' }),
  content.map((body) => ({ field: `content-LENGTH: ${body.length}\r\n`, body })),
  chunkedBody.map((body) => ({ field: 'Transfer-Encoding: Chunked\r\n', body })),
);
const line = fc.constantFrom(
  'POST /auth/refresh HTTP/1.1',
  'POST /auth/refresh?a=1&b=/auth/refresh HTTP/1.1',
  'GET / HTTP/1.1',
  'POST /auth/login?jwt=1 HTTP/1.1',
  'PUT /auth/refresh HTTP/1.1',
  'OPTIONS * HTTP/1.1',
);

const sample: fc.Arbitrary<Sample> = fc
  .record({ line, before: plainFields, after: plainFields, framing, letterCase, withHeader: fc.boolean() })
  .map(({ line: requestLine, before, after, framing: { field, body }, letterCase: upper, withHeader }) => {
    const isRefresh = requestLine.startsWith('POST /auth/refresh');
    const name = Array.from(SENT, (c, i) => (upper[i] === true ? c.toUpperCase() : c.toLowerCase())).join('');
    const compose = (shown: string) =>
      `${requestLine}\r\n${before}${isRefresh && withHeader ? `${shown}: JWT a.b.c\r\n` : ''}${field}${after}\r\n${body}`;
    return { raw: compose(name), expected: compose(name.replace(' ', '-')) };
  });
const pipeline = fc.array(sample, { minLength: 1, maxLength: 5 }).map((samples) => ({
  raw: samples.map(({ raw }) => raw).join(''),
  expected: samples.map(({ expected }) => expected).join(''),
}));

describe('the name with a space', () => {
  it('the name with a space becomes a dash in the header of POST /auth/refresh', () => {
    expect(rewriteText(refresh())).toBe(refresh({ name: WANTED }));
  });

  it('the name with a space is renamed for every split, pipeline and body, and nothing else changes', () => {
    fc.assert(
      fc.property(pipeline, fc.array(fc.nat(4_000), { maxLength: 12 }), ({ raw, expected }, cuts) => {
        expect(rewriteText(raw, cuts)).toBe(expected);
        expect(rewriteText(raw, everyByte(raw))).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('the name with a space is renamed wherever the header is cut in two', () => {
    const raw = refresh();
    for (let cut = 0; cut <= raw.length; cut += 1) {
      expect(rewriteText(raw, [cut])).toBe(refresh({ name: WANTED }));
    }
  });

  it('the name with a space is renamed whatever the letter case', () => {
    expect(rewriteText(refresh({ name: 'AUTHORIZATION REFRESH' }))).toContain('AUTHORIZATION-REFRESH:');
    expect(rewriteText(refresh({ name: 'authorization refresh' }))).toContain('authorization-refresh:');
  });

  it('the name with a space is renamed in HTTP/1.0 and with a query string', () => {
    for (const requestLine of ['POST /auth/refresh HTTP/1.0', 'POST /auth/refresh?x=1 HTTP/1.1']) {
      expect(rewriteText(refresh({ line: requestLine }))).toBe(refresh({ line: requestLine, name: WANTED }));
    }
  });

  it.each([
    'GET /auth/refresh HTTP/1.1',
    'post /auth/refresh HTTP/1.1',
    'POST /auth/refresh/ HTTP/1.1',
    'POST /auth/Refresh HTTP/1.1',
    'POST /auth/refreshed HTTP/1.1',
    'POST /xauth/refresh HTTP/1.1',
    'POST http://depot/auth/refresh HTTP/1.1',
    'POST /auth/login?/auth/refresh HTTP/1.1',
    'POST  /auth/refresh HTTP/1.1',
    'POST /auth/refresh  HTTP/1.1',
    'POST /auth/refresh HTTP/2.0',
    'POST /auth/refresh',
  ])('the name with a space stays in a request "%s"', (requestLine) => {
    const raw = refresh({ line: requestLine });
    expect(rewriteText(raw)).toBe(raw);
  });

  it.each([
    'Authorization  refresh',
    'Authorization\trefresh',
    'Authorization refresh ',
    'Authorization refres',
    'Authorization refreshh',
    'Authorization refresh\x1a',
    'XAuthorization refresh',
    'Authorization Refresh Token',
    ' Authorization refresh',
  ])('the name with a space is not seen in the field name "%s"', (name) => {
    const raw = refresh({ name });
    expect(rewriteText(raw)).toBe(raw);
    expect(rewriteText(raw, everyByte(raw))).toBe(raw);
  });
});

describe('a request outside the strict core', () => {
  const next = refresh();

  it.each([
    [
      'two lengths',
      refresh({ headers: 'Content-Length: 5\r\nContent-Length: 5\r\n', name: 'X', body: 'abcde' }),
    ],
    [
      'a length and a transfer coding',
      refresh({
        headers: 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n',
        name: 'X',
        body: '0\r\n\r\n',
      }),
    ],
    [
      'a transfer coding and a length',
      refresh({
        headers: 'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n',
        name: 'X',
        body: '0\r\n\r\n',
      }),
    ],
    [
      'another transfer coding',
      refresh({ headers: 'Transfer-Encoding: gzip, chunked\r\n', name: 'X', body: '0\r\n\r\n' }),
    ],
    [
      'chunked twice',
      refresh({
        headers: 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n',
        name: 'X',
        body: '0\r\n\r\n',
      }),
    ],
    [
      'chunked in HTTP/1.0',
      refresh({
        line: 'POST / HTTP/1.0',
        headers: 'Transfer-Encoding: chunked\r\n',
        name: 'X',
        body: '0\r\n\r\n',
      }),
    ],
    ['a signed length', refresh({ headers: 'Content-Length: +0\r\n', name: 'X' })],
    ['a list of lengths', refresh({ headers: 'Content-Length: 0, 0\r\n', name: 'X' })],
    ['an empty length', refresh({ headers: 'Content-Length:\r\n', name: 'X' })],
    [
      'a length beyond exact numbers',
      refresh({ headers: `Content-Length: ${'9'.repeat(30)}\r\n`, name: 'X' }),
    ],
    ['white space before the colon', refresh({ headers: 'Content-Length : 0\r\n', name: 'X' })],
    ['an empty field name', refresh({ headers: ': x\r\n', name: 'X' })],
    ['a folded line', refresh({ headers: 'X-A: 1\r\n 2\r\n', name: 'X' })],
    ['a bare LF', refresh({ headers: 'X-A: 1\n', name: 'X' })],
    ['a bare CR', refresh({ headers: 'X-A: 1\rX-B: 2\r\n', name: 'X' })],
    ['a NUL', refresh({ headers: 'X-A: \0\r\n', name: 'X' })],
    ['an empty line before the request', `\r\n${refresh({ name: 'X' })}`],
    ['an upgrade', refresh({ headers: 'Connection: upgrade\r\nUpgrade: websocket\r\n', name: 'X' })],
    ['CONNECT', refresh({ line: 'CONNECT depot:80 HTTP/1.1', name: 'X' })],
    ['an unknown method', refresh({ line: 'BREW /pot HTTP/1.1', name: 'X' })],
    [
      'a chunk size that is none',
      refresh({ headers: 'Transfer-Encoding: chunked\r\n', name: 'X', body: '0x0\r\n\r\n' }),
    ],
    [
      'a chunk longer than its size',
      refresh({ headers: 'Transfer-Encoding: chunked\r\n', name: 'X', body: '1\r\nab\r\n0\r\n\r\n' }),
    ],
    [
      'a bare LF behind a chunk size',
      refresh({ headers: 'Transfer-Encoding: chunked\r\n', name: 'X', body: '0\n\n' }),
    ],
    [
      'a length in the trailers',
      refresh({
        headers: 'Transfer-Encoding: chunked\r\n',
        name: 'X',
        body: '0\r\nContent-Length: 3\r\n\r\n',
      }),
    ],
    [
      'the name with a space in the trailers',
      refresh({ headers: 'Transfer-Encoding: chunked\r\n', name: 'X', body: `0\r\n${SENT}: x\r\n\r\n` }),
    ],
    ['another name with a space', refresh({ name: 'X Y' })],
  ])('a request outside the strict core ends the renaming for good: %s', (_, request) => {
    const raw = request + next + next;
    expect(rewriteText(raw)).toBe(raw);
    expect(rewriteText(raw, everyByte(raw))).toBe(raw);
  });

  it('a request outside the strict core is passed on whole for any bytes at all', () => {
    const soup = fc.array(
      fc.constantFrom(
        refresh(),
        'POST /auth/refresh HTTP/1.1\r\n',
        `${SENT}: a\r\n`,
        SENT,
        'Content-Length: 30\r\n',
        'Transfer-Encoding: chunked\r\n',
        '5\r\n',
        '0\r\n',
        '\r\n',
        '\r',
        '\n',
        ' ',
        ':',
        'x',
      ),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(soup, fc.array(fc.nat(2_000), { maxLength: 8 }), (parts, cuts) => {
        const raw = parts.join('');
        const whole = rewriteText(raw, cuts);
        expect(whole).toBe(rewriteText(raw, everyByte(raw)));
        expect(whole.replaceAll(/Authorization-refresh:/g, `${SENT}:`)).toBe(raw);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('holding back', () => {
  it('holding back keeps at most the eight bytes of " refresh" and hands them on when the input ends', () => {
    const head = 'POST /auth/refresh HTTP/1.1\r\nAuthorization';
    const rewriter = createRefreshHeaderRewriter();
    expect(Buffer.concat(rewriter.push(bytes(head))).toString()).toBe(head);
    expect(rewriter.push(bytes(' ref'))).toEqual([]);
    expect(rewriter.push(bytes('resh'))).toEqual([]);
    expect(rewriter.end().map(String)).toEqual([' refresh']);
    expect(rewriter.end()).toEqual([]);
  });

  it('holding back leaves the chunk it is given as it was, and passes bodies on without a copy', () => {
    const chunk = bytes(refresh({ headers: 'Content-Length: 4\r\n', body: 'abcd' }));
    const before = Buffer.from(chunk);
    const pieces = createRefreshHeaderRewriter().push(chunk);
    expect(chunk.equals(before)).toBe(true);
    expect(pieces.at(-1)?.buffer).toBe(chunk.buffer);
  });
});

/** What Node's own parser makes of the bytes: the requests that were complete, up to its first error. */
async function readByNode(input: Buffer): Promise<{ line: string; body: string }[]> {
  const seen: { line: string; body: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      seen.push({
        line: `${request.method ?? ''} ${request.url ?? ''}`,
        body: Buffer.concat(chunks).toString('latin1'),
      });
      response.end();
    });
    request.on('error', () => response.destroy());
  });
  Object.assign(server, { httpAllowHalfOpen: true });
  const [ours, theirs] = duplexPair();
  server.emit('connection', theirs);
  theirs.on('error', () => undefined);
  ours.on('error', () => undefined);
  ours.resume();
  const closed = new Promise((resolve) => theirs.once('close', resolve));
  ours.end(input);
  await closed;
  return seen;
}

describe('next to the parser of Node', () => {
  it('next to the parser of Node never touches what that parser takes for a body', async () => {
    const parts = fc.array(
      fc.oneof(
        { weight: 3, arbitrary: sample.map(({ raw }) => raw) },
        {
          // A header within a body, at every place where a length that is read wrongly would have the body end.
          weight: 2,
          arbitrary: fc.tuple(fc.nat(30), fc.constantFrom('', '0', '\t', ' ')).map(([before, padding]) => {
            const body = 'x'.repeat(before) + refresh();
            return `POST /x HTTP/1.1\r\nHost: d\r\nContent-Length:${padding}${body.length}\r\n\r\n${body}`;
          }),
        },
        {
          weight: 2,
          arbitrary: fc.constantFrom(
            'POST /x HTTP/1.1\r\nHost: d\r\nContent-Length: 200\r\nContent-Length : 3\r\n\r\n',
            'POST /x HTTP/1.1\r\nHost: d\r\nTransfer-Encoding: chunked \r\n\r\n0\r\n\r\n',
            'POST /x HTTP/1.1\r\nHost: d\r\nTransfer-Encoding:\tchunked\r\n\r\n0\r\n\r\n',
            'POST /x HTTP/1.1\r\nHost: d\r\nContent-Length: 00150\r\n\r\n',
            'POST /x HTTP/1.1\r\nHost: d\r\nContent-Length: 150 \r\n\r\n',
            'POST /x HTTP/1.1\r\nHost: d\r\nContent-Length: 150\t\r\n\r\n',
            'GET /x HTTP/1.1\r\nHost: d\r\nContent-Length: 90\r\n\r\n',
            // Whole, for Node waits for ever when the input ends within the body of an upgrade that nobody wants.
            `POST /x HTTP/1.1\r\nHost: d\r\nConnection: upgrade\r\nUpgrade: h2c\r\nContent-Length: ${refresh().length}\r\n\r\n${refresh()}`,
            'POST /x HTTP/1.1\r\nHost: d\r\nUpgrade: h2c\r\nContent-Length: 90\r\n\r\n',
            'POST /x HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 90\r\n\r\n',
            'POST /x HTTP/1.1\r\nHost: d\r\nTransfer-Encoding: chunked\r\n\r\n00000000000000000090\r\n',
            'POST /x HTTP/1.1\r\nHost: d\r\nTransfer-Encoding: chunked\r\n\r\n90 ;a\r\n',
            'POST /x HTTP/1.1\r\nHost: d\r\nTransfer-Encoding: chunked\r\n\r\n9;a="\\\r\n',
            'POST /x HTTP/1.1\r\nHost: d\r\nX: 1\r\n Content-Length: 90\r\n\r\n',
            '\r\n',
          ),
        },
      ),
      { minLength: 1, maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(parts, async (pieces) => {
        // So that a dash in a body can only be one that was put there.
        const raw = bytes(pieces.join('').replaceAll('authorization-refresh', 'x-other'));
        const before = await readByNode(raw);
        const after = await readByNode(rewrite(raw));
        expect(after.slice(0, before.length)).toEqual(before);
        for (const { body } of after) expect(body).not.toMatch(/authorization-refresh/i);
      }),
      { numRuns: 400 },
    );
  });
});
