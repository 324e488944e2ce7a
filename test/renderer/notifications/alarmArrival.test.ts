import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { AppContext } from '../../../renderer/appContext/appContext.ts';
import {
  howSosIsHeard,
  isArrival,
  isMuted,
  sendKept,
  startAlarms,
} from '../../../renderer/appContext/startAlarms.ts';
import type { AlarmNotice } from '../../../renderer/platform/platform.ts';
import type { LinkState } from '../../../renderer/stream/streamReader.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { openSession } from '../commands/openSession.ts';
import { sampleIncident, sampleNotification } from '../samples.ts';
import { createFakeStream } from '../stream/fakeStream.ts';

/** A session in the desktop, and what it has the desktop show. */
function setUp() {
  const { app } = openSession();
  const { stream, send } = createFakeStream();
  const notices: AlarmNotice[] = [];
  const raiseWindow = vi.fn();
  const setBadge = vi.fn();
  const played: string[] = [];
  Object.assign(app.platform, {
    notify(notice: AlarmNotice) {
      notices.push(notice);
      return () => undefined;
    },
    ...{ raiseWindow, setBadge, program: null },
    onMayPlay(run: () => void) {
      run();
      return () => undefined;
    },
  });
  app.notifications.setLoad({ phase: 'ready' });
  app.incidents.setLoad({ phase: 'ready' });
  const stop = startAlarms(
    { ...app, stream },
    {
      play: (sound) => void played.push(sound),
      stop: () => undefined,
    },
  );
  onTestFinished(stop);
  stream.start();
  let count = 0;
  return {
    ...{ app, send, notices, played, raiseWindow, setBadge, stop },
    arrive: (fields: Parameters<typeof sampleNotification>[0] = {}) => {
      count += 1;
      const data = sampleNotification({ notification_id: `n${count}`, ...fields });
      send({ topic: 'notification', data });
      return data;
    },
  };
}

describe('an alarm that arrives', () => {
  it('an alarm that arrives is a notice with its buttons, which stays when it is of the highest severity', () => {
    const { app, arrive, notices } = setUp();
    arrive({ severity: 'warning' });
    const grave = arrive({ severity: 'alarm', event_kind: 'sos' });
    arrive({ severity: 'info' });
    expect(notices.map(({ tag, urgency }) => [tag, urgency])).toEqual([
      ['n1', 'normal'],
      ['n2', 'critical'],
    ]);
    expect(notices[1]?.actions.map(({ label }) => label)).toEqual([
      'command.acknowledge',
      'notice.locate',
      'notice.video',
    ]);
    notices[1]?.onOpen();
    expect(app.navigation.store.getState()).toMatchObject({
      place: 'live',
      query: { notification: grave.notification_id },
    });
  });

  it.each([
    ['sos', ['sos']],
    ['alarm', ['sos', 'power_cut']],
    ['never', []],
  ] as const)(
    'an alarm that arrives brings the window to the front as it is set on this computer: %s',
    (raise, raising) => {
      const { app, arrive, raiseWindow } = setUp();
      app.preferences.setState({ raise });
      const kinds = ['overspeed', 'sos', 'power_cut'] as const;
      const raised = kinds.filter((event_kind) => {
        raiseWindow.mockClear();
        arrive({ event_kind, severity: event_kind === 'overspeed' ? 'warning' : 'alarm' });
        return raiseWindow.mock.calls.length > 0;
      });
      expect(raised).toEqual(raising);
    },
  );

  it('an alarm that arrives counts on the badge with the gravest, until it is acknowledged or nobody is logged in', () => {
    const { arrive, send, setBadge, stop } = setUp();
    arrive({ severity: 'warning' });
    expect(setBadge).toHaveBeenLastCalledWith({ count: 1, worst: 'warning' });
    const grave = arrive({ severity: 'alarm' });
    expect(setBadge).toHaveBeenLastCalledWith({ count: 2, worst: 'alarm' });
    send({
      topic: 'notification',
      data: { ...grave, state: 'acknowledged', updated_at: '2026-11-21T12:01:00.000Z' },
    });
    expect(setBadge).toHaveBeenLastCalledWith({ count: 1, worst: 'warning' });
    stop();
    expect(setBadge).toHaveBeenLastCalledWith(null);
  });

  it('an SOS that opens an incident without an alarm is a notice that stays, and brings the window to the front', () => {
    const { send, notices, raiseWindow } = setUp();
    send({ topic: 'incident', data: sampleIncident() });
    expect(notices).toMatchObject([{ tag: 'i1', urgency: 'critical' }]);
    expect(raiseWindow).toHaveBeenCalledOnce();
  });
});

describe('a list that is read again after the stream has lost its thread', () => {
  it('a list that is read again announces what opened meanwhile: the gravest is heard, the others are lit', () => {
    const { app, arrive, notices, played } = setUp();
    const known = arrive({ severity: 'warning' });
    const taken = arrive({ severity: 'alarm', state: 'acknowledged' });
    expect([notices.length, played]).toEqual([1, ['rising']]);
    const row = (notification_id: string, fields: Parameters<typeof sampleNotification>[0]) =>
      sampleNotification({ notification_id, ...fields });
    app.notifications.listing();
    app.notifications.listed([
      ...[known, { ...taken, state: 'open' as const, count: 2 }],
      row('missed', { severity: 'warning' }),
      row('quiet', { severity: 'info' }),
    ]);
    expect(notices.slice(1).map((it) => it.tag)).toEqual([taken.notification_id]);
    expect(played).toEqual(['rising', 'siren']);
    expect(app.arrivals.getState().byId.has('missed')).toBe(true);

    app.notifications.listing();
    app.notifications.listed([...app.notifications.store.getState().byId.values()]);
    expect([notices.length, played.length]).toEqual([2, 2]);
  });

  it('a list that is read again announces an SOS that opened an incident meanwhile, once', () => {
    const { app, notices, played } = setUp();
    for (let read = 0; read < 2; read++) {
      app.incidents.listing();
      app.incidents.listed([sampleIncident()]);
    }
    expect(notices.map((it) => [it.tag, it.urgency])).toEqual([['i1', 'critical']]);
    expect(played).toEqual(['siren']);
  });

  it('while a list cannot be read again an SOS that the stream brings is announced', () => {
    const { app, send, notices } = setUp();
    app.incidents.setLoad({ phase: 'failed', error: null, nextTryAt: null });
    send({ topic: 'incident', data: sampleIncident() });
    expect(notices.map((it) => it.tag)).toEqual(['i1']);
  });

  it('the first list of a session announces nothing', () => {
    const { app, notices, stop } = setUp();
    stop();
    app.notifications.setLoad({ phase: 'loading' });
    const { stream } = createFakeStream();
    onTestFinished(startAlarms({ ...app, stream }, { play: () => undefined, stop: () => undefined }));
    app.notifications.listed([sampleNotification({ severity: 'alarm' })]);
    app.notifications.setLoad({ phase: 'ready' });
    expect(notices).toEqual([]);
  });
});

describe('the alarm sound', () => {
  it('the alarm sound plays for a new row, not for its repetition', () => {
    const row = sampleNotification();
    expect(isArrival(undefined, row)).toBe(true);
    expect(isArrival(row, { ...row, count: 2 })).toBe(false);
  });

  it('the alarm sound plays neither for a notice nor for an acknowledgement', () => {
    expect(isArrival(undefined, sampleNotification({ severity: 'info' }))).toBe(false);
    expect(isArrival(undefined, sampleNotification({ state: 'acknowledged' }))).toBe(false);
  });

  it('the alarm sound plays for a row that opens again after it was acknowledged', () => {
    const taken = sampleNotification({ state: 'acknowledged' });
    expect(isArrival(taken, sampleNotification({ count: 2 }))).toBe(true);
  });

  it('the alarm sound is muted until the time that the program says, and never in a browser', () => {
    const preferences = createStore(() => ({
      ...{ startAtLogin: null, keepRunning: true, confirmQuit: true },
      mutedUntil: 1_000,
    }));
    const program = { preferences, change: () => Promise.resolve() };
    expect([isMuted(program, 999), isMuted(program, 1_000), isMuted(null, 999)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('what the server did not take', () => {
  it('what the server did not take is sent when the link is back, and again while it still waits', () => {
    const clock = createFakeClock();
    const kept = createStore<ReturnType<AppContext['acks']['store']['getState']>>(() => ({
      waiting: new Map(),
      progress: null,
    }));
    const outbox = createStore<ReturnType<AppContext['incidentWork']['outbox']['getState']>>(() => ({
      waiting: new Map(),
    }));
    let link: (state: LinkState) => void = () => undefined;
    let sent = 0;
    const flush = () => {
      sent++;
      return Promise.resolve();
    };
    const stop = sendKept({
      clock,
      stream: {
        onLink: (handle) => {
          link = handle;
          return () => undefined;
        },
      },
      acks: { store: kept, flush },
      incidentWork: { outbox, flush: () => Promise.resolve() },
    });
    kept.setState({ waiting: new Map([['n1', null]]) });
    clock.advance(60_000);
    expect(sent).toBe(0);
    link({ phase: 'live', since: 0, lostBefore: null });
    expect(sent).toBe(1);
    clock.advance(60_000);
    expect(sent).toBe(5);
    kept.setState({ waiting: new Map() });
    clock.advance(15_000);
    const settled = sent;
    clock.advance(60_000);
    expect(sent).toBe(settled);
    stop();
  });
});

describe('an SOS that opens an incident', () => {
  const heard = (ids: string[], alarms: Record<string, 'alarm' | 'warning'>) =>
    howSosIsHeard(
      { notification_ids: ids },
      new Map(Object.entries(alarms).map(([id, severity]) => [id, { severity }])),
    );

  it('an SOS is heard once: by its alarm where that is as grave, also when the alarm comes after the incident', () => {
    expect(heard(['n1'], { n1: 'alarm' })).toBe('already');
    expect(heard(['n1', 'n2'], { n1: 'warning', n2: 'alarm' })).toBe('already');
    expect(heard(['n1'], {})).toEqual({ with: 'n1' });
  });

  it('an SOS without an alarm, or with a mild one alone, is announced by its incident', () => {
    expect(heard([], {})).toBe('now');
    expect(heard(['n1'], { n1: 'warning' })).toBe('now');
  });
});
