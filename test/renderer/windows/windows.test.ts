import { describe, expect, it } from 'vitest';
import { createNavigation, type Location } from '../../../renderer/navigation/navigation.ts';
import type { OwnWindow } from '../../../renderer/platform/platform.ts';
import { createWindows, type WindowMessage } from '../../../renderer/windows/windows.ts';
import { placeOfWindow, readWindowName, type WindowName } from '../../../renderer/windows/windowNames.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { createMemoryStorage } from '../memoryStorage.ts';
import { createFakeChannels } from './fakeChannels.ts';

function setUp() {
  const channel = createFakeChannels();
  const clock = createFakeClock();
  return {
    clock,
    channel,
    /** Opens a window of the login. */
    open: (name: WindowName | null, session = 's1') => {
      const opened: OwnWindow[] = [];
      const went: Location[] = [];
      const heard: WindowMessage[] = [];
      let elsewhere: (location: Location) => void = () => undefined;
      let cameForward = 0;
      const windows = createWindows({
        name,
        channel: channel(),
        sessionId: () => session,
        navigation: {
          go: (place, query) => void went.push({ place, query: query as Location['query'] }),
          onElsewhere(show) {
            elsewhere = show;
            return () => undefined;
          },
        },
        platform: {
          openWindow: (window) => void opened.push(window),
          comeForward: () => (cameForward += 1),
          storage: createMemoryStorage(),
        },
        clock,
        locks: null,
      });
      windows.start();
      windows.on((message) => heard.push(message));
      return {
        ...{ windows, opened, went, heard },
        goElsewhere: (location: Location) => elsewhere(location),
        cameForward: () => cameForward,
      };
    },
  };
}

const moment: Location = { place: 'history', query: { at: '2026-11-21T12:00:00.000Z' } };

describe('the windows of a login', () => {
  it('what is to be shown on a map opens Live where no window has a map, and nothing more where one has', () => {
    const { clock, open } = setUp();
    const queue = open('queue');
    const asked = { act: 'locate' as const, vehicleId: 'v1', notificationId: 'n1', selectedIds: [] };
    queue.windows.actOnMap(asked);
    clock.advance(2_500);
    expect(queue.opened.map(({ name, address }) => [name, address])).toEqual([
      ['fleetdeck.main', '/#/live?vehicle=v1&notification=n1'],
    ]);

    const map = open('map');
    map.windows.on((message) => {
      if (message.kind === 'on_map' && message.ask !== undefined)
        map.windows.post({ kind: 'on_map_here', ask: message.ask });
    });
    queue.windows.actOnMap(asked);
    clock.advance(2_500);
    expect(queue.opened).toHaveLength(1);
  });

  it('a window opens by an address that names its pane and what is selected', () => {
    const { windows, opened } = setUp().open(null);
    windows.open('queue', { vehicle: 'v1' });
    expect(opened).toMatchObject([
      { address: '/?window=queue#/live?vehicle=v1', name: 'fleetdeck.queue', width: 1280 },
    ]);
  });

  it('the name of a window is read from its address, and an unknown one shows the whole console', () => {
    expect(readWindowName('?window=map')).toBe('map');
    expect(readWindowName('?window=history')).toBe('history');
    expect(readWindowName('?window=live')).toBeNull();
    expect(readWindowName('?window=constructor')).toBeNull();
    expect(readWindowName('')).toBeNull();
    expect([placeOfWindow('queue'), placeOfWindow('wall'), placeOfWindow('events')]).toEqual([
      'live',
      'live',
      'events',
    ]);
  });

  it('what a window does not show is shown by the window that is there for it, before the whole console', () => {
    const { open, clock } = setUp();
    const [queue, console, history] = [open('queue'), open(null), open('history')];
    queue.goElsewhere(moment);
    clock.advance(300);
    expect(history.went).toEqual([moment]);
    expect(history.cameForward()).toBe(1);
    expect([console.went, queue.opened]).toEqual([[], []]);
  });

  it('what a window does not show is shown by the whole console, else in a new one', () => {
    const { open, clock } = setUp();
    const alone = open('queue');
    alone.goElsewhere(moment);
    clock.advance(2_000);
    expect(alone.opened).toMatchObject([{ name: 'fleetdeck.main' }]);
    expect(alone.opened[0]?.address).toMatch(/^\/#\/history\?at=/);
    const console = open(null);
    alone.goElsewhere(moment);
    clock.advance(300);
    expect(console.went).toEqual([moment]);
    expect(alone.opened).toHaveLength(1);
  });

  it('what a window does not show waits for a console that is busy, and opens no second one', () => {
    const { open, clock, channel } = setUp();
    const queue = open('queue');
    const busy = channel();
    const received: WindowMessage[] = [];
    busy.onmessage = ({ data }) => received.push((data as { message: WindowMessage }).message);
    queue.goElsewhere(moment);
    clock.advance(1_500);
    const [asked] = received;
    if (asked?.kind !== 'who_shows') throw new Error('the console was not asked');
    const message = { kind: 'i_show', ask: asked.ask, window: 'busy', rank: 1 };
    busy.postMessage({ session: 's1', message });
    expect(received.at(-1)).toEqual({ kind: 'show', window: 'busy', location: moment });
    clock.advance(60_000);
    expect(queue.opened).toEqual([]);
    expect(received).toHaveLength(2);
  });

  it('windows hear nothing of another login, and nothing that no window would say', () => {
    const { open } = setUp();
    const [mine, others, same] = [open(null), open(null, 's2'), open('map')];
    mine.windows.post({ kind: 'selected', vehicleId: 'v1', notificationId: null, selectedIds: [] });
    mine.windows.post({ kind: 'selected', vehicleId: 7 } as unknown as WindowMessage);
    expect(same.heard).toEqual([
      { kind: 'selected', vehicleId: 'v1', notificationId: null, selectedIds: [] },
    ]);
    expect(others.heard).toEqual([]);
  });
});

describe('the address of a window', () => {
  function createPage(hash: string) {
    const listeners = new Set<() => void>();
    const location = { href: `http://depot/?window=events${hash}`, hash };
    const page = {
      location,
      history: { replaceState: (_: unknown, __: string, next: string) => (location.hash = next) },
      addEventListener: (_: string, run: () => void) => listeners.add(run),
    } as unknown as Window;
    return {
      page,
      follow: (next: string) => {
        location.hash = next;
        listeners.forEach((run) => run());
      },
    };
  }

  it('the address of a window stays when a link leads elsewhere, which is handed over', () => {
    const { page, follow } = createPage('');
    const navigation = createNavigation(page, 'events');
    const elsewhere: Location[] = [];
    navigation.onElsewhere((location) => elsewhere.push(location));
    navigation.start();
    expect(navigation.store.getState().place).toBe('events');
    follow('#/events?view=raw');
    follow('#/video?task=t1');
    navigation.go('live', { vehicle: 'v1', notification: null });
    expect(elsewhere).toEqual([
      { place: 'video', query: { task: 't1' } },
      { place: 'live', query: { vehicle: 'v1' } },
    ]);
    expect(navigation.store.getState()).toEqual({ place: 'events', query: { view: 'raw' } });
    expect(page.location.hash).toBe('#/events?view=raw');
  });

  it('the place that is gone to is there before the browser reports the new address', () => {
    const { page } = createPage('#/live');
    const navigation = createNavigation(page);
    navigation.start();
    navigation.go('shift', { id: 's1' });
    expect(navigation.store.getState()).toEqual({ place: 'shift', query: { id: 's1' } });
    expect(page.location.hash).toBe('#/shift?id=s1');
  });

  it('a link that is copied in a window leads to the whole console', () => {
    const navigation = createNavigation(createPage('#/events').page, 'events');
    expect(navigation.linkTo('live', { vehicle: 'v1' })).toBe('http://depot/#/live?vehicle=v1');
  });
});
