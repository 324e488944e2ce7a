import { describe, expect, it } from 'vitest';
import { terminalCommandRoutes, type TerminalCommand } from '../../../server/contract/terminalCommands.ts';
import type { ProblemCode } from '../../../server/contract/problem.ts';
import type { Api } from '../../../renderer/api/client.ts';
import { ApiProblem, UnexpectedAnswer, Unreachable } from '../../../renderer/api/errors.ts';
import { createCommandFeed } from '../../../renderer/terminalCommands/commandFeed.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { createFakeStream } from '../stream/fakeStream.ts';
import { respondedCommand, sampleCommand, sentCommand } from './sampleCommand.ts';

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
const older = (n: number) =>
  sampleCommand({ command_id: `old${n}`, created_at: `2026-11-20T12:00:0${n}.000Z`, status: 'expired' });

interface Call {
  route: unknown;
  query?: { cursor?: string };
  body?: unknown;
  idempotencyKey?: string;
  answer: (value: unknown) => void;
  fail: (error: unknown) => void;
}

/** A feed whose calls are answered by hand, and whose stream is spoken by hand. */
function setUp() {
  const clock = createFakeClock();
  const calls: Call[] = [];
  const request = (route: unknown, asked: Partial<Call>) =>
    new Promise((answer, fail) => calls.push({ route, ...asked, answer, fail }));
  const { stream, send } = createFakeStream();
  stream.start();
  // A stand-in for calls of the contract; the client itself is tested against a real server.
  const feed = createCommandFeed({ api: { request } as unknown as Api, clock, stream }, 'v1');
  return {
    clock,
    calls,
    feed,
    say: send,
    emit: (data: TerminalCommand) => send({ topic: 'command', data }),
    /** Answers the newest call. */
    async answer(value: unknown) {
      calls.at(-1)?.answer(value);
      await settle();
    },
    async fail(error: unknown) {
      calls.at(-1)?.fail(error);
      await settle();
    },
    shown: () => feed.store.getState().commands.map((it) => `${it.command_id} ${it.status}`),
  };
}

const page = (items: TerminalCommand[], next_cursor: string | null = null) => ({ items, next_cursor });

const problemOf = (status: number, code: ProblemCode) =>
  new ApiProblem({ type: '', title: '', status, detail: 'no', code, request_id: 'r' }, null);
const inUse = problemOf(409, 'in_use');

describe('the commands of a terminal', () => {
  it('the commands of a terminal are not read before they are opened, and not followed after they are closed', async () => {
    const it = setUp();
    expect(it.calls).toEqual([]);
    const stop = it.feed.start();
    await it.answer(page([sampleCommand()]));
    expect(it.feed.store.getState()).toMatchObject({ load: { phase: 'ready' }, older: 'none' });
    stop();
    it.emit(sentCommand());
    it.say({ topic: 'reset', data: { reason: 'restarted' } });
    expect(it.shown()).toEqual(['c1 queued']);
    expect(it.calls).toHaveLength(1);
  });

  it('the commands of a terminal stand newest first, those of other vehicles left out', async () => {
    const it = setUp();
    it.feed.start();
    await it.answer(page([sampleCommand(), older(2), older(1)]));
    it.emit(sampleCommand({ command_id: 'c2', created_at: '2026-11-21T12:05:00.000Z' }));
    it.emit(sampleCommand({ command_id: 'c3', vehicle_id: 'v2' }));
    expect(it.shown()).toEqual(['c2 queued', 'c1 queued', 'old2 expired', 'old1 expired']);
  });

  it('the commands of a terminal go by the stream where a page that was asked for before knows less', async () => {
    const it = setUp();
    it.feed.start();
    it.emit(respondedCommand());
    it.emit(sampleCommand({ command_id: 'c2' }));
    it.say({ topic: 'command', data: { command_id: 'c2', deleted: true } });
    await it.answer(page([sampleCommand(), sampleCommand({ command_id: 'c2' })]));
    expect(it.shown()).toEqual(['c1 responded']);
  });

  it('the commands of a terminal may wait again when nothing of them was written', async () => {
    const it = setUp();
    it.feed.start();
    await it.answer(page([sentCommand()]));
    it.emit(sampleCommand());
    expect(it.shown()).toEqual(['c1 queued']);
  });

  it('the commands of a terminal are read again after the stream has lost its thread, without the deleted ones', async () => {
    const it = setUp();
    it.feed.start();
    await it.answer(page([sampleCommand(), older(1)]));
    it.say({ topic: 'reset', data: { reason: 'restarted' } });
    await it.answer(page([respondedCommand()]));
    expect(it.shown()).toEqual(['c1 responded']);
  });

  it('the commands of a terminal stay on the screen when they cannot be read again, and are read when the link is back', async () => {
    const it = setUp();
    it.feed.start();
    await it.answer(page([sampleCommand()]));
    it.say({ topic: 'reset', data: { reason: 'restarted' } });
    await it.fail(new Unreachable('down'));
    expect(it.feed.store.getState().load.phase).toBe('failed');
    expect(it.shown()).toEqual(['c1 queued']);
    it.clock.advance(60_000);
    await it.answer(page([respondedCommand()]));
    expect(it.shown()).toEqual(['c1 responded']);
  });

  it('the commands of a terminal are read page after page when older ones are asked for, again after a failure', async () => {
    const it = setUp();
    it.feed.start();
    await it.answer(page([sampleCommand()], 'next'));
    expect(it.feed.store.getState().older).toBe('some');
    it.feed.readOlder();
    it.feed.readOlder();
    expect(it.calls).toHaveLength(2);
    await it.fail(new Unreachable('down'));
    expect(it.feed.store.getState().older).toBe('failed');
    it.feed.readOlder();
    expect(it.calls.at(-1)?.query?.cursor).toBe('next');
    await it.answer(page([older(2), older(1)]));
    expect(it.shown()).toEqual(['c1 queued', 'old2 expired', 'old1 expired']);
    expect(it.feed.store.getState().older).toBe('none');
  });
});

it('older commands requested while the newest are read again continue from where those end', async () => {
  const it = setUp();
  it.feed.start();
  await it.answer(page([older(3)], 'old cursor'));
  it.say({ topic: 'reset', data: { reason: 'restarted' } });
  it.feed.readOlder();
  const [, first, late] = it.calls;
  first?.answer(page([sampleCommand()], 'new cursor'));
  await settle();
  late?.answer(page([older(1)]));
  await settle();
  it.feed.readOlder();
  expect(it.calls.at(-1)?.query?.cursor).toBe('new cursor');
  await it.answer(page([older(3), older(1)]));
  expect(it.shown()).toEqual(['c1 queued', 'old3 expired', 'old1 expired']);
});

describe('a new command', () => {
  const getver = { kind: 'text', text: 'getver' } as const;

  it('a new command waits a day for its terminal, and shows before the stream publishes it', async () => {
    const it = setUp();
    it.feed.start();
    await it.answer(page([]));
    const sending = it.feed.send(getver);
    expect(it.calls.at(-1)).toMatchObject({
      route: terminalCommandRoutes.send,
      body: { kind: 'text', text: 'getver', expires_in_s: 86_400 },
    });
    await it.answer(sampleCommand());
    await sending;
    expect(it.shown()).toEqual(['c1 queued']);
  });

  it('a new command is not set back by an answer that arrives after the stream has published more', async () => {
    const it = setUp();
    it.feed.start();
    await it.answer(page([]));
    const sending = it.feed.send(getver);
    it.emit(sampleCommand());
    it.emit(sentCommand());
    await it.answer(sampleCommand());
    await sending;
    expect(it.shown()).toEqual(['c1 sent']);
  });

  it('a new command is the same one to the server when no answer came and it is sent again just so', async () => {
    const it = setUp();
    const keyOf = async (filter: Parameters<typeof it.feed.send>[0], end: () => Promise<void>) => {
      const sending = it.feed.send(filter);
      const key = it.calls.at(-1)?.idempotencyKey;
      sending.catch(() => undefined);
      await end();
      return key;
    };
    const unheard = () => it.fail(new Unreachable('down'));
    const first = await keyOf(getver, unheard);
    const second = await keyOf(getver, unheard);
    const other = await keyOf({ kind: 'text', text: 'cpureset' }, unheard);
    const third = await keyOf(getver, () => it.answer(sampleCommand()));
    const fourth = await keyOf(getver, unheard);
    expect(second).toBe(first);
    expect(new Set([first, other, third, fourth]).size).toBe(4);
  });

  it.each([
    ['the first try is still under way', problemOf(409, 'in_use')],
    ['the calls are too many', problemOf(429, 'rate_limited')],
    ['the server failed', problemOf(500, 'internal')],
    ['the right was taken away since the first try', problemOf(403, 'forbidden')],
    ['what came is no answer of the contract', new UnexpectedAnswer('200 of something', null)],
  ])('a new command stays the same one to the server when after a lost answer %s', async (_, error) => {
    const it = setUp();
    const keys: (string | undefined)[] = [];
    for (const failure of [new Unreachable('down'), error, null]) {
      const sending = it.feed.send(getver);
      sending.catch(() => undefined);
      keys.push(it.calls.at(-1)?.idempotencyKey);
      await (failure === null ? it.answer(sampleCommand()) : it.fail(failure));
    }
    expect(keys[0]).toBeDefined();
    expect(new Set(keys).size).toBe(1);
  });

  it('a new command is taken back while it waits; one that was sent meanwhile says so and stays', async () => {
    const it = setUp();
    it.feed.start();
    await it.answer(page([sampleCommand()]));
    const late = it.feed.cancel('c1');
    late.catch(() => undefined);
    await it.fail(inUse);
    await expect(late).rejects.toThrow(ApiProblem);
    expect(it.shown()).toEqual(['c1 queued']);
    const cancelling = it.feed.cancel('c1');
    await it.answer(sampleCommand({ status: 'cancelled' }));
    await cancelling;
    expect(it.shown()).toEqual(['c1 cancelled']);
  });
});
