import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import { createPageRecovery } from '../../electron/pageRecovery.ts';
import { createFakeClock } from '../support/fakeClock.ts';

function setUp() {
  const clock = createFakeClock();
  const questions: { signal: AbortSignal; answer: (chosen: 'reload' | 'wait') => void; fail: () => void }[] =
    [];
  const warn = vi.fn();
  const recovery = createPageRecovery({
    ask: (signal) =>
      new Promise((answer, reject) =>
        questions.push({ signal, answer, fail: () => reject(new Error('no screen')) }),
      ),
    after: (ms, run) => clock.after(ms, run),
    warn,
  });
  const page = Object.assign(new EventEmitter(), {
    id: 7,
    reload: vi.fn(),
    forcefullyCrashRenderer: vi.fn(() => recovery.reload(page, 'killed')),
  });
  recovery.watch(page);
  return { clock, questions, warn, recovery, page };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

it.each([
  ['crashed', 'crashed'],
  ['oom', 'out_of_memory'],
  ['memory-eviction', 'out_of_memory'],
] as const)('a page that is gone as "%s" is loaded again and says why, once', (reason, said) => {
  const { recovery, page } = setUp();
  recovery.reload(page, reason);
  expect(page.reload).toHaveBeenCalledOnce();
  expect([recovery.takeReason(7), recovery.takeReason(7)]).toEqual([said, null]);
});

it('a page that does not respond is loaded again when the operator wants it, and says so', async () => {
  const { questions, recovery, page } = setUp();
  page.emit('unresponsive');
  questions[0]?.answer('reload');
  await settle();
  expect(page.reload).toHaveBeenCalledOnce();
  expect(recovery.takeReason(7)).toBe('unresponsive');
});

it('a page that does not respond is loaded again where nobody answers', async () => {
  const { clock, questions, page, warn } = setUp();
  page.emit('unresponsive');
  questions[0]?.fail();
  await settle();
  clock.advance(29_999);
  expect(page.reload).not.toHaveBeenCalled();
  clock.advance(1);
  expect(page.reload).toHaveBeenCalledOnce();
  expect(questions[0]?.signal.aborted).toBe(true);
  expect(warn).toHaveBeenCalledTimes(2);
});

it('an operator who waits is asked again after a minute', async () => {
  const { clock, questions, page } = setUp();
  page.emit('unresponsive');
  questions[0]?.answer('wait');
  await settle();
  clock.advance(59_999);
  expect(questions).toHaveLength(1);
  clock.advance(1);
  expect(questions).toHaveLength(2);
  expect(page.reload).not.toHaveBeenCalled();
});

it.each(['responsive', 'destroyed'])('a page that is %s is not asked about any more', async (event) => {
  const { clock, questions, page } = setUp();
  page.emit('unresponsive');
  page.emit(event);
  expect(questions[0]?.signal.aborted).toBe(true);
  questions[0]?.answer('reload');
  await settle();
  clock.advance(120_000);
  expect(page.reload).not.toHaveBeenCalled();
});
