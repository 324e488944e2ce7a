import type { IncomingMessage, ServerResponse } from 'node:http';
import { decodeOsmandJson, decodeOsmandParameters, Unreadable, type SpeedUnit } from '../protocols/osmand.ts';
import type { Report } from '../report.ts';
import type { Accept } from './accept.ts';
import type { DoorParts } from './doorParts.ts';
import { createIntakeMessage } from './intakeMessage.ts';

/** A long form with every field is below 4 kB; phones that were offline send their points one by one. */
const largestBody = 64 * 1024;

/**
 * Answers one request of a terminal after the commit, or of somebody else.
 *
 * @param parts.accept hands a report in; it is called when there is room for it
 */
export async function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  parts: DoorParts & { accept: Accept; speedUnit: () => SpeedUnit },
): Promise<void> {
  const { record, turnedAway, work } = parts;
  const address = request.socket.remoteAddress ?? null;
  if (isWebPage(request)) {
    turnedAway.add('foreign', { address, detail: 'a web page' });
    request.resume();
    reply(response, 403, 'Web pages may not speak for terminals.');
    return;
  }
  const body = await readBody(request);
  const bytes = Buffer.from(`${request.method ?? ''} ${request.url ?? ''}\n\n${body ?? ''}`, 'utf8');
  const entry = record.open('tcp', address, null, bytes);
  const onSender = (terminalId: string) => record.belongs(entry, terminalId);
  const origin = { protocol: 'osmand', address };
  const { message, answered } = createIntakeMessage({ ...parts, bytes, origin, entry, onSender });
  const say = (status: number, text = '') => {
    answered(Buffer.from(`${status} ${text}`.trimEnd()));
    reply(response, status, text);
  };
  if (body === null) {
    message.unreadable('a body beyond all measure');
    response.shouldKeepAlive = false;
    say(413);
    return;
  }
  let report: Report;
  try {
    report = decode(request, body, parts.speedUnit());
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    message.unreadable(error.message);
    say(400, error.message);
    return;
  }
  while (work.isFull()) await new Promise<void>((resolve) => work.wait(resolve));
  const [outcome] = await message.accept([report]);
  switch (outcome?.status) {
    case 'unknown':
      say(404, 'No vehicle has this terminal.');
      return;
    case 'failed':
    case undefined:
      say(503, 'Could not be stored.');
      return;
    default:
      say(200);
  }
}

/**
 * Browsers are recognised by any one of these: a page must not move a vehicle by an image or a form. Not by
 * `Sec-Fetch-Mode`, which fetch sends in programs too.
 */
function isWebPage(request: IncomingMessage): boolean {
  const { headers } = request;
  return (
    headers.origin !== undefined ||
    headers.referer !== undefined ||
    headers['sec-fetch-site'] !== undefined ||
    headers['sec-fetch-dest'] !== undefined ||
    /^\s*mozilla\//i.test(headers['user-agent'] ?? '')
  );
}

function decode(request: IncomingMessage, body: string, speedUnit: SpeedUnit): Report {
  const query = (request.url ?? '').split('?').slice(1).join('?');
  const type = request.headers['content-type'] ?? '';
  if (query === '' && (/\bjson\b/i.test(type) || body.trimStart().startsWith('{')))
    return decodeOsmandJson(body);
  return decodeOsmandParameters(new URLSearchParams(query === '' ? body.trim() : query), speedUnit);
}

/** Null when the body is too large; rejects when the terminal hangs up half-way. */
function readBody(request: IncomingMessage): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > largestBody) {
        request.pause();
        resolve(null);
        return;
      }
      chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.on('error', reject);
  });
}

export function reply(response: ServerResponse, status: number, text = ''): void {
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}
