import type { IncomingMessage, ServerResponse } from 'node:http';
import { decodeOsmandJson } from '../protocols/osmand/osmandJson.ts';
import { decodeOsmandParameters } from '../protocols/osmand/osmandParameters.ts';
import { Unreadable, type SpeedUnit } from '../protocols/osmand/osmandValues.ts';
import type { TerminalReport, Accept, Outcome } from '../terminalReport.ts';
import type { ListenerContext } from './listenerContext.ts';
import { createIntakeMessage, noteUnreadable } from './intakeMessage.ts';

/** A long form with every field is below 4 kB; phones that were offline send their points one by one. */
const largestBody = 64 * 1024;
const webPage = 'a web page';

/**
 * Answers one request of a terminal after the commit, or of somebody else.
 *
 * @param deps.accept hands reports in
 * @param deps.isTaken called once the content of the request counts towards the listener's backlog
 */
export async function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  deps: ListenerContext & { accept: Accept; speedUnit: () => SpeedUnit; isTaken: () => void },
): Promise<void> {
  const { record, rejections } = deps;
  const address = request.socket.remoteAddress ?? null;
  const line = `${request.method ?? ''} ${request.url ?? ''}`;
  if (isWebPage(request)) {
    rejections.add('protocol_mismatch', { address, detail: webPage });
    const entry = record.open('tcp', address, null, Buffer.from(line, 'utf8'));
    noteUnreadable(entry, webPage);
    const words = 'Web pages may not speak for terminals.';
    entry.answer = Buffer.from(`403 ${words}`);
    // The connection ends with the answer, whatever else would still come by it.
    response.shouldKeepAlive = false;
    reply(response, 403, words);
    return;
  }
  const body = await readBody(request);
  const bytes = Buffer.from(`${line}\n\n${body ?? ''}`, 'utf8');
  const entry = record.open('tcp', address, null, bytes);
  const onSender = (terminalId: string) => record.belongs(entry, terminalId);
  const origin = { protocol: 'osmand', address };
  const { message, answered } = createIntakeMessage({ ...deps, bytes, origin, entry, onSender });
  const say = (status: number, text = '') => {
    answered(Buffer.from(`${status} ${text}`.trimEnd()));
    reply(response, status, text);
  };
  if (body === null) {
    message.undecodable('a body beyond all measure');
    response.shouldKeepAlive = false;
    say(413);
    return;
  }
  const parameters = parametersOf(request, body);
  let reports: TerminalReport[];
  try {
    reports =
      parameters === null ? decodeOsmandJson(body) : [decodeOsmandParameters(parameters, deps.speedUnit())];
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const terminalId = parameters?.get('id') ?? parameters?.get('deviceid') ?? '';
    if (terminalId !== '') message.from(terminalId);
    message.undecodable(error.message);
    say(400, error.message);
    return;
  }
  const accepted = message.accept(reports);
  deps.isTaken();
  const outcomes = await accepted;
  const has = (status: Outcome['status']) => outcomes.some((it) => it.status === status);
  if (outcomes.length === 0 || has('failed')) say(503, 'Could not be stored.');
  else if (has('unknown')) say(404, 'No vehicle has this terminal.');
  else say(200);
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

/** Of the query, or of a form; null: the body is JSON. A query that names no terminal is not what the terminal says. */
function parametersOf(request: IncomingMessage, body: string): URLSearchParams | null {
  const query = (request.url ?? '').split('?').slice(1).join('?');
  const type = request.headers['content-type'] ?? '';
  const ofQuery = new URLSearchParams(query);
  if (ofQuery.has('id') || ofQuery.has('deviceid') || body.trim() === '') return ofQuery;
  if (/\bjson\b/i.test(type) || body.trimStart().startsWith('{')) return null;
  return query === '' ? new URLSearchParams(body.trim()) : ofQuery;
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
