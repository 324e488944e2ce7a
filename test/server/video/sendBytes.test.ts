import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, open, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { createServer, get, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { sendBytes } from '../../../server/video/sendVideo.ts';

const content = randomBytes(3_000_000);
let folder = '';
let file: FileHandle;
let url = '';
/** Whether the newest answer holds bytes, and waits for the ones before it on its connection. */
let waits = (): boolean => false;
/** How each sending ended. */
const endings: Promise<unknown>[] = [];

const app = express().get('/:start/:end', (request, response) => {
  const { start, end } = request.params;
  response.set('Content-Length', String(Number(end) - Number(start) + 1));
  waits = () => response.socket === null && response.writableLength > 0;
  endings.push(sendBytes(file, Number(start), Number(end), response).catch((error: unknown) => error));
});
const server = createServer(app);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleetdeck-send-'));
  await writeFile(join(folder, 'file'), content);
  file = await open(join(folder, 'file'), 'r');
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await file.close();
  await rm(folder, { recursive: true, force: true });
});

/** The beginning of an answer. */
async function asked(path: string): Promise<IncomingMessage> {
  const [answer] = (await once(get(`${url}${path}`, { agent: false }), 'response')) as [IncomingMessage];
  return answer;
}

it('many clients at once get each their own bytes, also while others hang up', async () => {
  const spans = Array.from({ length: 24 }, (_, at) => ({ start: at * 9_001, end: 2_999_999 - at * 60_001 }));
  const got = spans.map(async ({ start, end }, at) => {
    const answer = await asked(`/${start}/${end}`);
    if (at % 3 === 0) {
      answer.destroy();
      return true;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).equals(content.subarray(start, end + 1));
  });
  expect(await Promise.all(got)).toEqual(spans.map(() => true));
  expect(await Promise.all(endings)).toEqual(spans.map(() => undefined));
});

it('a file that is shorter than announced ends the connection in the middle', async () => {
  const answer = await asked('/2999990/3000009');
  const [error] = (await once(answer, 'error')) as [Error];
  expect(error).toMatchObject({ code: 'ECONNRESET' });
  expect(await endings.at(-1)).toMatchObject({ message: 'the file ends before byte 3000009' });
});

it('a client that hangs up while answers wait behind others ends all of them', async () => {
  const before = endings.length;
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const request = 'GET /0/2999999 HTTP/1.1\r\nHost: depot\r\n\r\n';
  // More than the system takes of a client that does not read.
  const count = 8;
  client.pause();
  client.write(request.repeat(count));
  await vi.waitFor(() => expect(endings).toHaveLength(before + count));
  await vi.waitFor(() => expect(waits()).toBe(true));
  client.destroy();
  expect(await Promise.all(endings.slice(before))).toEqual(Array(count).fill(undefined));
});
