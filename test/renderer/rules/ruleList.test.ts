import { expect, it, vi } from 'vitest';
import type { AppContext } from '../../../renderer/appContext/appContext.ts';
import { readRules } from '../../../renderer/rules/ruleList.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { createFakeStream } from '../stream/fakeStream.ts';

function open(reads: (() => Promise<unknown>)[] = []) {
  const { stream, send } = createFakeStream();
  stream.start();
  const request = vi.fn(() => reads.shift()?.() ?? Promise.resolve({ items: [], next_cursor: null }));
  return {
    app: { api: { request }, clock: createFakeClock(), stream } as unknown as AppContext,
    request,
    send,
  };
}

it('the rules are read once for all who read them one after the other, and again after a gap of the stream', async () => {
  const { app, request, send } = open();
  for (let opened = 0; opened < 3; opened++) {
    const end = readRules(app);
    // The answer is taken before the reader goes.
    await new Promise((done) => setImmediate(done));
    end();
  }
  expect(request).toHaveBeenCalledOnce();
  send({ topic: 'reset', data: { reason: 'too_old' } });
  expect(request).toHaveBeenCalledTimes(2);
});

it('rules that were not there yet when their reader went are read for the next one', async () => {
  const { app, request } = open([() => new Promise(() => undefined)]);
  readRules(app)();
  const end = readRules(app);
  expect(request).toHaveBeenCalledTimes(2);
  await new Promise((done) => setImmediate(done));
  end();
  readRules(app)();
  expect(request).toHaveBeenCalledTimes(2);
});
