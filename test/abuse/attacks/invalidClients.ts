import { createSocket } from 'node:dgram';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { ListenerName } from '../../../server/contract/intake.ts';
import type { Field, InvalidClientsAttack } from '../attack.ts';

const listeners: readonly ListenerName[] = ['osmand', 'teltonika', 'wialon', 'jt808', 'jt1078'];
const addresses = Array.from({ length: 20 }, (_, at) => `127.0.0.${at + 10}`);
const garbage = Buffer.from(Array.from({ length: 65_536 }, (_, at) => (at * 31 + (at >> 8) * 17) % 256));
const everyMs = 100;

type Note = (outcome: string) => void;

/** Connections that stay open as long as the host lets them, of which each is made again; `talk` is called as it opens. */
function hold(
  options: { port: number; count: number; talk: (socket: Socket) => void },
  note: Note,
  signal: AbortSignal,
): Promise<void> {
  const isOver = () => signal.aborted;
  const one = async (at: number) => {
    while (!isOver()) {
      const localAddress = addresses[at % addresses.length] ?? '127.0.0.1';
      const socket = connect({ port: options.port, host: '127.0.0.1', localAddress });
      const end = () => void socket.destroy();
      signal.addEventListener('abort', end);
      let outcome = 'closed';
      socket.on('error', (error: NodeJS.ErrnoException) => (outcome = error.code ?? 'error'));
      socket.on('connect', () => options.talk(socket)).on('data', () => undefined);
      await closed(socket);
      signal.removeEventListener('abort', end);
      note(isOver() ? 'held' : outcome);
      if (!isOver()) await pause(everyMs);
    }
  };
  return Promise.all(Array.from({ length: options.count }, (_, at) => one(at))).then(() => undefined);
}

/** Not by `once`, which rejects when the host cuts the connection. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

/** Writes as fast as it is taken. */
function pour(socket: Socket): void {
  const more = () => {
    while (!socket.destroyed && socket.write(garbage));
  };
  socket.on('drain', more);
  more();
}

function drip(text: string): (socket: Socket) => void {
  return (socket) => {
    let at = 0;
    const timer = setInterval(() => socket.write(text[at++ % text.length] ?? ''), everyMs);
    socket.on('close', () => clearInterval(timer));
  };
}

const apiPort = ({ url }: Field) => Number(new URL(url).port);
const portOf = ({ intake }: Field, listener: ListenerName) => intake[listener] ?? 0;
const head =
  'GET /?id=van-1&lat=52&lon=13&timestamp=1700000000&speed=1&bearing=1 HTTP/1.1\r\nHost: 127.0.0.1\r\nX-';

function datagrams(
  name: string,
  does: string,
  listener: ListenerName,
  bytes: (at: number) => Uint8Array,
): InvalidClientsAttack {
  return {
    name,
    does,
    async run(field, note, signal) {
      const socket = createSocket('udp4');
      socket.on('error', () => undefined);
      for (let at = 0; !signal.aborted;) {
        for (let one = 0; one < 200; one++, at++) {
          socket.send(bytes(at), portOf(field, listener), '127.0.0.1');
          note('sent');
        }
        await pause(everyMs);
      }
      socket.close();
    },
  };
}

/** Asks by HTTP over and over, which is not counted, or is answered 429 most of the time. */
function asked(
  name: string,
  does: string,
  pathsOf: readonly string[],
  lines: readonly string[],
  port = apiPort,
): InvalidClientsAttack {
  return {
    name,
    does,
    async run(field, note, signal) {
      const isOver = () => signal.aborted;
      const one = async (at: number) => {
        const localAddress = addresses[at % addresses.length] ?? '127.0.0.1';
        for (let turn = at; !isOver(); turn++) {
          const socket = connect({ port: port(field), host: '127.0.0.1', localAddress });
          const end = () => void socket.destroy();
          signal.addEventListener('abort', end);
          let answer = '';
          socket.setEncoding('latin1').on('data', (text: string) => (answer = (answer + text).slice(0, 12)));
          socket.on('error', () => undefined);
          const path = (pathsOf[turn % pathsOf.length] ?? '/').replace('#', String(turn * 100 + at));
          socket.write(
            [
              `GET ${path} HTTP/1.1`,
              `Host: 127.0.0.1:${port(field)}`,
              'Connection: close',
              ...lines,
              '',
              '',
            ].join('\r\n'),
          );
          await closed(socket);
          signal.removeEventListener('abort', end);
          if (!isOver()) note(answer === '' ? 'closed' : answer.slice(9));
        }
      };
      await Promise.all(Array.from({ length: addresses.length }, (_, at) => one(at)));
    },
  };
}

export const invalidClientsAttacks: readonly InvalidClientsAttack[] = [
  {
    name: 'halfSentCalls',
    does: '500 requests to the API whose heads never end',
    run: (field, note, signal) =>
      hold({ port: apiPort(field), count: 500, talk: (socket) => void socket.write(head) }, note, signal),
  },
  {
    name: 'halfSentBodies',
    does: '500 logins whose bodies never come',
    run: (field, note, signal) => {
      const host = `Host: 127.0.0.1:${apiPort(field)}`;
      const lines = [
        'POST /auth/login HTTP/1.1',
        host,
        'Content-Type: application/json',
        'Content-Length: 1000000',
      ];
      const talk = (socket: Socket) => void socket.write(`${lines.join('\r\n')}\r\n\r\n{"login":"`);
      return hold({ port: apiPort(field), count: 500, talk }, note, signal);
    },
  },
  {
    name: 'slowCalls',
    does: '500 requests to the API, a byte at a time',
    run: (field, note, signal) => hold({ port: apiPort(field), count: 500, talk: drip(head) }, note, signal),
  },
  {
    name: 'garbageOnApi',
    does: '40 connections that pour bytes onto the API',
    run: (field, note, signal) => hold({ port: apiPort(field), count: 40, talk: pour }, note, signal),
  },
  ...listeners.flatMap((listener): InvalidClientsAttack[] => [
    {
      name: `garbage:${listener}`,
      does: '40 connections that pour bytes',
      run: (field, note, signal) =>
        hold({ port: portOf(field, listener), count: 40, talk: pour }, note, signal),
    },
    {
      name: `slow:${listener}`,
      does: '500 connections, a byte at a time',
      run: (field, note, signal) =>
        hold(
          {
            port: portOf(field, listener),
            count: 500,
            talk: drip(listener === 'wialon' ? '#L#van-1;' : head),
          },
          note,
          signal,
        ),
    },
  ]),
  {
    name: 'halfSent:osmand',
    does: '500 requests whose heads never end',
    run: (field, note, signal) =>
      hold(
        { port: portOf(field, 'osmand'), count: 500, talk: (socket) => void socket.write(head) },
        note,
        signal,
      ),
  },
  {
    name: 'longLine:wialon',
    does: '40 connections that pour a line without an end',
    run: (field, note, signal) => {
      const line = Buffer.alloc(65_536, '#');
      const talk = (socket: Socket) => {
        const more = () => {
          while (!socket.destroyed && socket.write(line));
        };
        socket.on('drain', more);
        more();
      };
      return hold({ port: portOf(field, 'wialon'), count: 40, talk }, note, signal);
    },
  },
  datagrams('garbage:teltonikaUdp', '2,000 datagrams of 60,000 bytes a second', 'teltonika', () =>
    garbage.subarray(0, 60_000),
  ),
  datagrams('garbage:wialonUdp', '2,000 datagrams of 60,000 bytes a second', 'wialon', () =>
    garbage.subarray(0, 60_000),
  ),
  asked(
    'unknownPhones',
    'phones of ever new names',
    ['/?id=nobody#&lat=52&lon=13&timestamp=1700000000'],
    [],
    (field) => portOf(field, 'osmand'),
  ),
  asked(
    'forgedPositions',
    'positions of vehicles that are there',
    ['/?id=van-1&lat=52.#&lon=13&alarm=sos'],
    [],
    (field) => portOf(field, 'osmand'),
  ),
  asked(
    'staticFiles',
    'what the console is made of, with 1,000 ranges',
    ['/', '/assets/a#.js', '/%2e%2e/a', '/favicon.ico'],
    [`Range: bytes=${'0-0,'.repeat(1_000)}0-0`],
  ),
  asked('documents', 'the description of the API, over and over', ['/openapi.json', '/docs'], []),
  asked('unknownPaths', 'the API by long paths that are not there', [`/api/v1/${'a/'.repeat(3_000)}#`], []),
  asked(
    'longTokens',
    'JWTs of 15,000 characters',
    ['/api/v1/me'],
    [`Authorization: JWT ${'a'.repeat(7_000)}.${'b'.repeat(7_000)}.c`],
  ),
];
