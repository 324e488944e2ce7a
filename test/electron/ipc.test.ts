import { EventEmitter } from 'node:events';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  pageChannels,
  shellChannels,
  wireName,
  type ArgumentsOf,
  type MessageOf,
  type PageChannelName,
  type ShellChannelName,
} from '../../electron/bridge/channels.ts';
import { createBridge } from '../../electron/bridge/desktopBridge.ts';
import {
  answerPages,
  MOST_PENDING,
  sendToPage,
  type DesktopServices,
  type IpcReceiver,
} from '../../electron/ipc.ts';
import { ShellError } from '../../electron/shellError.ts';
import { causeOf } from '../../server/app.ts';

const ORIGIN = 'http://127.0.0.1:8471';
const SENDER = { id: 7, origin: ORIGIN };
const ours: Frame = { origin: ORIGIN, parent: null };
const foreignFrames: Frame[] = [
  null,
  { origin: 'https://example.org', parent: null },
  { origin: 'null', parent: null },
  { origin: ORIGIN, parent: {} },
];
const NOTICE = {
  tag: 'van',
  title: 'SOS',
  body: 'Ring road',
  urgency: 'critical' as const,
  actions: ['Acknowledge', 'Locate'],
};
const UPDATES = { on: true, url: 'https://x.example/', publicKey: 'AAAA', hour: 3, byItself: false };
const UPDATE_STATE = {
  ...{ phase: 'idle' as const, version: '1.2.3', found: null, fraction: null },
  ...{ checked_ms: null, reason: null, causes: [], settings: UPDATES },
};
const PREFERENCES = { startAtLogin: null, keepRunning: true, confirmQuit: true, mutedUntil: null };
const HOST = { url: 'https://north.example:8471', fingerprint: 'AB:CD', insecure: false };
const ITEM = { id: 'locate', label: 'Locate', keys: 'L', enabled: true };
const MENU = { place: 'own' as const, title: 'Vehicle', sections: [[ITEM]] };
type Frame = { origin: string; parent: object | null } | null;

/** Every channel by which a page reaches the shell: its direction, arguments that fit, and some that do not. */
const CHANNELS: {
  [Name in PageChannelName]: {
    direction: (typeof pageChannels)[Name]['direction'];
    fits: ArgumentsOf<Name>;
    misfits: unknown[][];
  };
} = {
  facts: { direction: 'asks now', fits: [], misfits: [[1]] },
  setupCode: { direction: 'asks now', fits: [], misfits: [['x']] },
  reloadReason: { direction: 'asks now', fits: [], misfits: [[7]] },
  saveFile: {
    direction: 'asks',
    fits: ['clip.mp4', new ArrayBuffer(3)],
    misfits: [
      [],
      ['clip.mp4'],
      ['clip.mp4', 'text'],
      [1, new ArrayBuffer(1)],
      ['clip.mp4', new Uint8Array(1)],
    ],
  },
  notify: {
    direction: 'sends',
    fits: [NOTICE],
    misfits: [
      ...[[], [null], ['van'], [{ tag: 'van', title: 'SOS' }], [{ ...NOTICE, title: 1 }]],
      ...[[{ ...NOTICE, urgency: 'loud' }], [{ ...NOTICE, actions: ['1', '2', '3', '4', '5', '6'] }]],
    ],
  },
  withdrawNotice: { direction: 'sends', fits: ['van'], misfits: [[], [1], [null]] },
  setBadge: {
    direction: 'sends',
    fits: [{ count: 3, worst: 'alarm' }],
    misfits: [
      ...[-1, 1.5, Number.NaN, Infinity, '1', null].map((count) => [{ count, worst: 'alarm' }]),
      ...[[{ count: 1, worst: 'info' }], [3], [undefined], []],
    ],
  },
  takeOpening: { direction: 'asks', fits: [], misfits: [['/etc/passwd']] },
  setMenu: {
    direction: 'sends',
    fits: [[MENU]],
    misfits: [
      ...[[], [null], [MENU], [[{ ...MENU, place: 'edit' }]], [[{ ...MENU, sections: [[{ id: 'x' }]] }]]],
      ...[[Array.from({ length: 13 }, () => MENU)], [[{ ...MENU, sections: [Array(41).fill(ITEM)] }]]],
    ],
  },
  setLanguage: { direction: 'sends', fits: ['de'], misfits: [[], ['fr'], ['de-DE'], [null]] },
  bringToFront: { direction: 'sends', fits: [], misfits: [[{}]] },
  raiseWindow: { direction: 'sends', fits: [], misfits: [[true]] },
  problemFacts: { direction: 'asks', fits: [], misfits: [[1]] },
  updateState: { direction: 'asks', fits: [], misfits: [[{}]] },
  changeUpdates: {
    direction: 'asks',
    fits: [UPDATES],
    misfits: [[], [null], [{ ...UPDATES, hour: 24 }], [{ ...UPDATES, url: 1 }], [{ ...UPDATES, more: 1 }]],
  },
  checkForUpdates: { direction: 'asks', fits: [], misfits: [['x']] },
  installUpdate: { direction: 'asks', fits: [], misfits: [[true]] },
  preferences: { direction: 'asks', fits: [], misfits: [[{}]] },
  changePreferences: {
    direction: 'asks',
    fits: [{ keepRunning: false, mutedUntil: 1_800_000 }],
    misfits: [[], [null], [{ startAtLogin: null }], [{ confirmQuit: 1 }], [{ mutedUntil: -1 }]],
  },
  connections: { direction: 'asks', fits: [], misfits: [[1]] },
  lookForHosts: { direction: 'asks', fits: [], misfits: [[{}]] },
  probeHost: {
    direction: 'asks',
    fits: [HOST],
    misfits: [[], [HOST.url], [{ ...HOST, url: 'x'.repeat(301) }], [{ ...HOST, insecure: 1 }]],
  },
  addConnection: {
    direction: 'asks',
    fits: [{ name: 'North', ...HOST }],
    misfits: [[], [HOST], [{ ...HOST, name: '' }], [{ ...HOST, name: 'North', fingerprint: 1 }]],
  },
  renameConnection: {
    direction: 'asks',
    fits: ['a1', 'North'],
    misfits: [['a1'], ['a1', ' '], [1, 'North']],
  },
  removeConnection: { direction: 'asks', fits: ['a1'], misfits: [[], [null], ['x'.repeat(17)]] },
  openConnection: { direction: 'asks', fits: [null], misfits: [[], [1], ['x'.repeat(17)]] },
  startOwnDepot: { direction: 'asks', fits: [false], misfits: [[], ['off']] },
};

/** Every channel by which the shell reaches a page. */
const MESSAGES: { [Name in ShellChannelName]: { fits: MessageOf<Name>; misfits: unknown[] } } = {
  openingsWait: { fits: 1, misfits: ['1', null, -1] },
  commandChosen: { fits: 'locate', misfits: [1, null, 'x'.repeat(101)] },
  noticeActed: {
    fits: { tag: 'van', action: 1 },
    misfits: [null, 'van', {}, { tag: 'van' }, { tag: 'van', action: -1 }, { tag: 1, action: 1 }],
  },
  resumed: { fits: true, misfits: [false, null, undefined, 'true'] },
  preferencesChanged: {
    fits: PREFERENCES,
    misfits: [null, {}, { ...PREFERENCES, confirmQuit: null }, { ...PREFERENCES, mutedUntil: 'never' }],
  },
  noticeOpened: { fits: 'van', misfits: [1, null, undefined, {}, 'x'.repeat(501)] },
};

const channels = Object.entries(CHANNELS).map(([name, row]) => ({ name: name as PageChannelName, ...row }));
const messages = Object.entries(MESSAGES).map(([name, row]) => ({ name: name as ShellChannelName, ...row }));

function setUp() {
  const heard = new Map<string, Parameters<IpcReceiver['on']>[1]>();
  const handled = new Map<string, Parameters<IpcReceiver['handle']>[1]>();
  const services = {
    facts: vi.fn<DesktopServices['facts']>(() => ({ version: '1.2.3', canNotify: true })),
    setupCode: vi.fn<DesktopServices['setupCode']>(() => 'code'),
    reloadReason: vi.fn<DesktopServices['reloadReason']>(() => 'crashed'),
    saveFile: vi.fn<DesktopServices['saveFile']>(() => Promise.resolve('/downloads/clip.mp4')),
    notify: vi.fn<DesktopServices['notify']>(),
    withdrawNotice: vi.fn<DesktopServices['withdrawNotice']>(),
    setBadge: vi.fn<DesktopServices['setBadge']>(),
    takeOpening: vi.fn<DesktopServices['takeOpening']>(() => null),
    setLanguage: vi.fn<DesktopServices['setLanguage']>(),
    setMenu: vi.fn<DesktopServices['setMenu']>(),
    bringToFront: vi.fn<DesktopServices['bringToFront']>(),
    raiseWindow: vi.fn<DesktopServices['raiseWindow']>(),
    problemFacts: vi.fn<DesktopServices['problemFacts']>(() => ({ facts: {}, lines: [] })),
    updateState: vi.fn<DesktopServices['updateState']>(() => UPDATE_STATE),
    changeUpdates: vi.fn<DesktopServices['changeUpdates']>(() => UPDATE_STATE),
    checkForUpdates: vi.fn<DesktopServices['checkForUpdates']>(() => UPDATE_STATE),
    installUpdate: vi.fn<DesktopServices['installUpdate']>(() => Promise.resolve(UPDATE_STATE)),
    preferences: vi.fn<DesktopServices['preferences']>(() => PREFERENCES),
    changePreferences: vi.fn<DesktopServices['changePreferences']>(() => PREFERENCES),
    connections: vi.fn<DesktopServices['connections']>(),
    lookForHosts: vi.fn<DesktopServices['lookForHosts']>(),
    probeHost: vi.fn<DesktopServices['probeHost']>(),
    addConnection: vi.fn<DesktopServices['addConnection']>(),
    renameConnection: vi.fn<DesktopServices['renameConnection']>(),
    removeConnection: vi.fn<DesktopServices['removeConnection']>(),
    openConnection: vi.fn<DesktopServices['openConnection']>(),
    startOwnDepot: vi.fn<DesktopServices['startOwnDepot']>(),
  };
  const warn = vi.fn<(words: string, error?: unknown) => void>();
  const ipc: IpcReceiver = {
    on: (channel, listener) => heard.set(channel, listener),
    handle: (channel, listener) => void handled.set(channel, listener),
  };
  answerPages(ipc, services, { isOurs: (origin) => origin === ORIGIN, warn });

  /** As Electron does it: a question of a page rejects with what is thrown, a message without an answer has null. */
  function call(frame: Frame, channel: string, ...args: unknown[]): unknown {
    const event = { sender: { id: SENDER.id }, senderFrame: frame, returnValue: undefined as unknown };
    const handler = handled.get(channel);
    if (handler !== undefined) return new Promise((resolve) => resolve(handler(event, ...args)));
    heard.get(channel)?.(event, ...args);
    return event.returnValue;
  }

  /** What comes of a call that is to be refused: nothing, for whoever waits. */
  async function refused(frame: Frame, name: PageChannelName, args: unknown[]): Promise<void> {
    const answer = call(frame, wireName(name), ...args);
    if (pageChannels[name].direction === 'asks')
      await expect(answer).rejects.toMatchObject({ name: 'Unfit' });
    else expect(answer).toBeNull();
  }
  return { services, warn, call, refused, wires: [...heard.keys(), ...handled.keys()] };
}

describe('the channels between page and shell', () => {
  it('the channels between page and shell are answered, all of the table and no other', () => {
    expect(Object.fromEntries(channels.map(({ name, direction }) => [name, direction]))).toEqual(
      Object.fromEntries(Object.entries(pageChannels).map(([name, { direction }]) => [name, direction])),
    );
    expect(Object.keys(shellChannels).sort()).toEqual(Object.keys(MESSAGES).sort());
    expect(setUp().wires.sort()).toEqual(channels.map(({ name }) => wireName(name)).sort());
  });

  describe.each(channels)('$name', ({ name, fits, misfits }) => {
    it(`${name} refuses a foreign sender, a child frame and a page that is gone, and answers, so that nothing hangs`, async () => {
      const { services, refused, warn } = setUp();
      for (const frame of foreignFrames) await refused(frame, name, fits);
      expect(services[name]).not.toHaveBeenCalled();
      expect(warn).toHaveBeenCalledTimes(foreignFrames.length);
    });

    it(`${name} refuses arguments that do not fit, and more than it takes`, async () => {
      const { services, refused, warn } = setUp();
      const all = [...misfits, [...fits, 'more']];
      for (const args of all) await refused(ours, name, args);
      expect(services[name]).not.toHaveBeenCalled();
      expect(warn).toHaveBeenCalledTimes(all.length);
    });

    it(`${name} passes what fits on to its service, with the page that sent it`, async () => {
      const { services, call, warn } = setUp();
      await call(ours, wireName(name), ...fits);
      expect(services[name].mock.calls).toEqual([[SENDER, ...fits]]);
      expect(warn).not.toHaveBeenCalled();
    });
  });

  it('a notice is shown with the fields that are known, cut to a length that can be read', () => {
    const { call, services } = setUp();
    call(ours, wireName('notify'), { ...NOTICE, body: 'x'.repeat(600), icon: 'file:///etc/passwd' });
    expect(services.notify.mock.calls).toEqual([[SENDER, { ...NOTICE, body: 'x'.repeat(500) }]]);
  });

  it('a page hears that a file could not be written', async () => {
    const { call, services } = setUp();
    services.saveFile.mockRejectedValue(new Error('no space'));
    await expect(call(ours, wireName('saveFile'), ...CHANNELS.saveFile.fits)).rejects.toThrow('no space');
  });

  it('a page hears what the shell refuses by its causes', async () => {
    const { call, services } = setUp();
    services.openConnection.mockRejectedValue(new ShellError(causeOf('shell.no_own_depot')));
    const answer = call(ours, wireName('openConnection'), ...CHANNELS.openConnection.fits);
    const { message } = await Promise.resolve(answer).then(
      () => new Error('was answered'),
      (error: unknown) => error as Error,
    );
    expect(JSON.parse(message)).toEqual({
      detail: 'The depot of this computer is not running.',
      causes: [{ code: 'shell.no_own_depot', values: {} }],
    });
  });

  it('a service that fails is reported, and the page that waits has null', () => {
    const { call, services, warn } = setUp();
    const failure = new Error('the system shows no notices');
    services.setupCode.mockImplementation(() => {
      throw failure;
    });
    expect(call(ours, wireName('setupCode'))).toBeNull();
    expect(warn.mock.calls).toEqual([['setupCode failed', failure]]);
  });

  it('a page asks eight questions at once at most, and one more for each that is answered', async () => {
    const { call, services, refused } = setUp();
    const answers: ((path: false) => void)[] = [];
    services.saveFile.mockImplementation(() => new Promise((resolve) => answers.push(resolve)));
    const asked = Array.from({ length: MOST_PENDING.ofAPage }, () =>
      call(ours, wireName('saveFile'), ...CHANNELS.saveFile.fits),
    );
    await refused(ours, 'saveFile', CHANNELS.saveFile.fits);
    answers[0]?.(false);
    expect(await asked[0]).toBe(false);
    void call(ours, wireName('saveFile'), ...CHANNELS.saveFile.fits);
    expect(services.saveFile).toHaveBeenCalledTimes(MOST_PENDING.ofAPage + 1);
  });

  it('the shell does not fail at anything that a page sends', async () => {
    const { call, services } = setUp();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.anything(), { maxLength: 3 }), async (args) => {
        for (const { name } of channels) {
          try {
            await call(ours, wireName(name), ...args);
          } catch (error) {
            expect(error).toMatchObject({ name: 'Unfit' });
          }
        }
      }),
    );
    for (const [, { tag, title, body }] of services.notify.mock.calls) {
      expect([typeof tag, typeof title, typeof body]).toEqual(['string', 'string', 'string']);
    }
  });
});

describe('the bridge of a page', () => {
  function setUpPage(frame: Frame) {
    const shell = setUp();
    const wire = new EventEmitter();
    const call = (channel: string, ...args: unknown[]) => shell.call(frame, channel, ...args);
    const bridge = createBridge({
      sendSync: call,
      invoke: (...args) => Promise.resolve(call(...args)),
      send: (...args) => void call(...args),
      on: (channel, listener) => wire.on(channel, listener),
      removeListener: (channel, listener) => wire.removeListener(channel, listener),
    });
    const page = { send: (channel: string, message: unknown) => void wire.emit(channel, {}, message) };
    return { bridge, page, wire, ...shell };
  }

  it('the bridge of a page reaches every service with its arguments, and has their answers', async () => {
    const { bridge, services } = setUpPage(ours);
    if (bridge === null) throw new Error('The page has no bridge.');
    for (const { name, fits } of channels) {
      await (bridge[name] as (...args: unknown[]) => unknown)(...fits);
      expect(services[name]).toHaveBeenLastCalledWith(SENDER, ...fits);
    }
    expect(bridge.facts()).toEqual({ version: '1.2.3', canNotify: true });
    expect(bridge.setupCode()).toBe('code');
    expect(await bridge.saveFile('clip.mp4', new ArrayBuffer(3))).toBe('/downloads/clip.mp4');
  });

  it('the bridge of a page is not there for a page that is not ours', () => {
    for (const frame of foreignFrames) expect(setUpPage(frame).bridge).toBeNull();
  });

  it.each(messages)(
    'the bridge of a page passes on what fits of $name, until its listener has enough',
    ({ name, fits, misfits }) => {
      const { bridge, page, wire } = setUpPage(ours);
      const listen = vi.fn();
      const on = `on${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      const undo = (bridge as unknown as Record<string, (listen: unknown) => () => void>)[on]?.(listen);
      sendToPage(page, name, fits);
      for (const misfit of misfits) page.send(wireName(name), misfit);
      expect(listen.mock.calls).toEqual([[fits]]);
      undo?.();
      expect(wire.listenerCount(wireName(name))).toBe(0);
    },
  );
});
