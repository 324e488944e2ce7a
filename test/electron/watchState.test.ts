import { describe, expect, it, vi } from 'vitest';
import { createWatchState, TICK_MS, type WatchActs } from '../../electron/watchState.ts';

const MB = 1_048_576;
const memory = {
  rss_bytes: 300 * MB,
  heap_used_bytes: 100 * MB,
  heap_limit_bytes: 4_000 * MB,
  free_bytes: 8_000 * MB,
};

function setUp({ hungAfterMs = 30_000, pausesMs = [1_000, 5_000, 30_000] } = {}) {
  let now = 0;
  let pid = 100;
  const acts = {
    start: vi.fn<WatchActs['start']>(() => ++pid),
    kill: vi.fn<WatchActs['kill']>(),
    record: vi.fn<WatchActs['record']>(),
    ask: vi.fn<WatchActs['ask']>(),
    exit: vi.fn<WatchActs['exit']>(),
  };
  const state = createWatchState({ hungAfterMs, pausesMs }, acts, now);
  const recorded = () => acts.record.mock.calls.map(([end]) => end);
  return {
    state,
    ...acts,
    recorded,
    /** The program reports for the first time. */
    connect: () => state.connected(7, now),
    disconnect: () => state.disconnected(now),
    ends: (code: number | null) => state.programEnded(code, now),
    choose: (again: boolean) => state.chosen(again, now),
    /** Time passes, in which this process runs as it should. */
    pass: (ms: number, each: () => void = () => undefined) => {
      for (const end = now + ms; now < end;) {
        now += TICK_MS;
        each();
        state.tick(now);
      }
    },
    /** The computer sleeps. */
    sleep: (ms: number) => (now += ms),
  };
}

describe('a program that is watched', () => {
  it('a program that is watched and ends with a goodbye is not started again', () => {
    const { state, connect, disconnect, pass, start, record, exit } = setUp();
    connect();
    state.goodbye();
    disconnect();
    pass(60_000);
    expect(exit).toHaveBeenCalledOnce();
    expect(start).not.toHaveBeenCalled();
    expect(record).not.toHaveBeenCalled();
  });

  it('a program that is watched and ends without a goodbye is recorded and started again after a pause', () => {
    const { state, connect, disconnect, pass, recorded, start } = setUp();
    connect();
    pass(20_000, () => state.beat(memory));
    disconnect();
    expect(recorded()).toEqual([{ reason: 'killed', detail: null, ran_s: 20, memory }]);
    expect(start).not.toHaveBeenCalled();
    pass(1_000);
    expect(start).toHaveBeenCalledOnce();
  });

  it.each([
    ['its heap was almost full', { ...memory, heap_used_bytes: 3_500 * MB }, 'out_of_memory'],
    ['the computer had next to nothing left', { ...memory, free_bytes: 20 * MB }, 'out_of_memory'],
    ['the system does not say what is free', { ...memory, free_bytes: null }, 'killed'],
  ])(
    'a program that is watched and ends where %s is recorded with its last report',
    (_case, last, reason) => {
      const { state, connect, disconnect, recorded } = setUp();
      connect();
      state.beat(memory);
      state.beat(last);
      disconnect();
      expect(recorded()).toMatchObject([{ reason, memory: last }]);
    },
  );

  it('a program that is watched and reports an error of its own is recorded with it and started again', () => {
    const { state, connect, disconnect, pass, recorded, start } = setUp();
    connect();
    state.failing('TypeError: unforeseen');
    disconnect();
    expect(recorded()).toMatchObject([{ reason: 'error', detail: 'TypeError: unforeseen' }]);
    pass(1_000);
    expect(start).toHaveBeenCalledOnce();
  });

  it('a program that is watched and reports nothing for 30 s is ended and started again', () => {
    const { connect, disconnect, pass, kill, recorded, start } = setUp();
    connect();
    pass(29_000);
    expect(kill).not.toHaveBeenCalled();
    pass(1_000);
    expect(kill.mock.calls).toEqual([[7]]);
    disconnect();
    expect(recorded()).toMatchObject([{ reason: 'hung', detail: 'nothing was heard of it for 30 s' }]);
    pass(1_000);
    expect(start).toHaveBeenCalledOnce();
  });

  it('a program that is watched is not hung after the computer has slept', () => {
    const { state, connect, pass, sleep, kill } = setUp();
    connect();
    state.beat(memory);
    pass(5_000);
    sleep(8 * 3_600_000);
    pass(20_000);
    expect(kill).not.toHaveBeenCalled();
  });

  it('a program that is watched is never hung where the time for it is 0', () => {
    const { connect, pass, kill } = setUp({ hungAfterMs: 0 });
    connect();
    pass(600_000);
    expect(kill).not.toHaveBeenCalled();
  });
});

describe('a program that ends again and again', () => {
  function endAtOnce(watch: ReturnType<typeof setUp>) {
    watch.connect();
    watch.disconnect();
  }

  it('a program that ends again and again is started with growing pauses, and the operator is asked at last', () => {
    const watch = setUp();
    const waits = [1_000, 5_000, 30_000].map((pause) => {
      endAtOnce(watch);
      const before = watch.start.mock.calls.length;
      watch.pass(pause - 1_000);
      const early = watch.start.mock.calls.length - before;
      watch.pass(1_000);
      return [early, watch.start.mock.calls.length - before];
    });
    expect(waits).toEqual([
      [0, 1],
      [0, 1],
      [0, 1],
    ]);
    endAtOnce(watch);
    expect(watch.ask.mock.calls).toMatchObject([[{ reason: 'killed' }]]);
    watch.pass(3_600_000);
    expect(watch.start).toHaveBeenCalledTimes(3);
    expect(watch.recorded()).toHaveLength(4);
  });

  it('a program that ends again and again is started when the operator says so, and the pauses start over', () => {
    const watch = setUp({ pausesMs: [1_000] });
    endAtOnce(watch);
    watch.pass(1_000);
    endAtOnce(watch);
    watch.choose(true);
    expect(watch.start).toHaveBeenCalledTimes(2);
    endAtOnce(watch);
    watch.pass(1_000);
    expect(watch.start).toHaveBeenCalledTimes(3);
    expect(watch.ask).toHaveBeenCalledOnce();
  });

  it('a program that ends again and again is left alone when the operator says so', () => {
    const watch = setUp({ pausesMs: [] });
    endAtOnce(watch);
    watch.choose(false);
    expect(watch.exit).toHaveBeenCalledOnce();
    expect(watch.start).not.toHaveBeenCalled();
  });

  it('a program that ends again after it ran well for ten minutes is started after the shortest pause', () => {
    const watch = setUp();
    endAtOnce(watch);
    watch.pass(1_000);
    watch.connect();
    watch.pass(600_000, () => watch.state.beat(memory));
    watch.disconnect();
    watch.pass(1_000);
    expect(watch.start).toHaveBeenCalledTimes(2);
  });
});

describe('a program that is being started', () => {
  function restarted() {
    const watch = setUp();
    watch.connect();
    watch.disconnect();
    watch.pass(1_000);
    watch.record.mockClear();
    return watch;
  }

  it('a program that is being started and finds that another one runs already ends the watch over it', () => {
    const { ends, pass, exit, record, start } = restarted();
    ends(0);
    expect(exit).toHaveBeenCalledOnce();
    pass(600_000);
    expect(record).not.toHaveBeenCalled();
    expect(start).toHaveBeenCalledOnce();
  });

  it.each([
    [3, 'it ended with code 3'],
    [null, 'a signal ended it'],
  ])('a program that is being started and ends with %s is started again later', (code, detail) => {
    const { ends, pass, recorded, start } = restarted();
    ends(code);
    expect(recorded()).toMatchObject([{ reason: 'not_started', detail }]);
    pass(4_000);
    expect(start).toHaveBeenCalledOnce();
    pass(1_000);
    expect(start).toHaveBeenCalledTimes(2);
  });

  it('a program that is being started and does not report within two minutes is ended', () => {
    const { ends, pass, kill, recorded } = restarted();
    pass(119_000);
    expect(kill).not.toHaveBeenCalled();
    pass(1_000);
    expect(kill.mock.calls).toEqual([[101]]);
    ends(null);
    expect(recorded()).toMatchObject([{ reason: 'not_started', detail: 'it did not report' }]);
  });

  it('a program that is being started is recorded once when it ends, by whichever sign of it comes first', () => {
    const watch = restarted();
    watch.disconnect();
    watch.ends(1);
    expect(watch.recorded()).toHaveLength(1);
  });

  it('a program that cannot be run at all is tried again later', () => {
    const { connect, disconnect, pass, start, recorded } = setUp();
    start.mockReturnValueOnce(null);
    connect();
    disconnect();
    pass(1_000);
    expect(recorded()).toMatchObject([{ reason: 'killed' }, { reason: 'not_started' }]);
    pass(5_000);
    expect(start).toHaveBeenCalledTimes(2);
  });

  it('a program that never reports to the process it started itself is watched by nobody', () => {
    const { pass, exit, start } = setUp();
    pass(120_000);
    expect(exit).toHaveBeenCalledOnce();
    expect(start).not.toHaveBeenCalled();
  });
});
