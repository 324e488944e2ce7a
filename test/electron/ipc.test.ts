import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { channels } from '../../electron/bridge/channels.ts';
import { answerPages, type DesktopServices, type IpcReceiver } from '../../electron/ipc.ts';

const ORIGIN = 'http://127.0.0.1:8471';
const ours = { origin: ORIGIN, parent: null };
const foreignFrames = [
  null,
  { origin: 'https://example.org', parent: null },
  { origin: 'null', parent: null },
  { origin: ORIGIN, parent: {} },
];
type Frame = (typeof foreignFrames)[number];

function setUp() {
  const heard = new Map<string, Parameters<IpcReceiver['on']>[1]>();
  const handled = new Map<string, Parameters<IpcReceiver['handle']>[1]>();
  const services = {
    facts: { version: '1.2.3', canNotify: true },
    setupCode: vi.fn(() => 'code'),
    notify: vi.fn<DesktopServices['notify']>(),
    setBadge: vi.fn<DesktopServices['setBadge']>(),
    bringToFront: vi.fn(),
    saveFile: vi.fn<DesktopServices['saveFile']>(() => Promise.resolve('/downloads/clip.mp4')),
  };
  const warn = vi.fn<(words: string) => void>();
  const ipc: IpcReceiver = {
    on: (channel, listener) => heard.set(channel, listener),
    handle: (channel, listener) => void handled.set(channel, listener),
  };
  answerPages(ipc, ORIGIN, services, warn);
  const send = (frame: Frame, channel: string, ...args: unknown[]): unknown => {
    const event = { senderFrame: frame, returnValue: undefined as unknown };
    heard.get(channel)?.(event, ...args);
    return event.returnValue;
  };
  // As Electron does it: what is thrown rejects.
  const invoke = (frame: Frame, channel: string, ...args: unknown[]): Promise<unknown> =>
    new Promise((resolve) => resolve(handled.get(channel)?.({ senderFrame: frame }, ...args)));
  const acts = [
    services.setupCode,
    services.notify,
    services.setBadge,
    services.bringToFront,
    services.saveFile,
  ];
  return { services, warn, send, invoke, acts };
}

describe('the shell', () => {
  it('the shell gives its own page the facts and the code of the first run', () => {
    const { send } = setUp();
    expect(send(ours, channels.facts)).toEqual({ version: '1.2.3', canNotify: true });
    expect(send(ours, channels.setupCode)).toBe('code');
  });

  it.each(foreignFrames)(
    'the shell ignores %j and reveals nothing, and answers so that the call does not hang',
    async (frame) => {
      const { send, invoke, acts, warn } = setUp();
      for (const channel of [channels.facts, channels.setupCode, channels.bringToFront]) {
        expect(send(frame, channel)).toBeNull();
      }
      send(frame, channels.setBadge, 1);
      send(frame, channels.notify, { tag: 't', title: 't', body: 'b' });
      await expect(invoke(frame, channels.saveFile, 'x', new ArrayBuffer(1))).rejects.toThrow();
      for (const act of acts) expect(act).not.toHaveBeenCalled();
      expect(warn).toHaveBeenCalledTimes(6);
    },
  );

  it('the shell shows a notice with the fields it knows, cut to a length that can be read', () => {
    const { send, services } = setUp();
    send(ours, channels.notify, {
      tag: 'van',
      title: 'SOS',
      body: 'x'.repeat(600),
      icon: 'file:///etc/passwd',
    });
    expect(services.notify.mock.calls).toEqual([[{ tag: 'van', title: 'SOS', body: 'x'.repeat(500) }]]);
  });

  it('the shell saves a file that the page hands over', async () => {
    const { invoke, services } = setUp();
    const content = new ArrayBuffer(3);
    expect(await invoke(ours, channels.saveFile, 'clip.mp4', content)).toBe('/downloads/clip.mp4');
    expect(services.saveFile).toHaveBeenCalledWith('clip.mp4', content);
  });

  it('the shell passes on that a file could not be written', async () => {
    const { invoke, services } = setUp();
    services.saveFile.mockRejectedValue(new Error('no space'));
    await expect(invoke(ours, channels.saveFile, 'clip.mp4', new ArrayBuffer(1))).rejects.toThrow('no space');
  });

  it.each([-1, 1.5, Number.NaN, Infinity, '1', null, undefined])(
    'the shell refuses %s as a count',
    (count) => {
      const { send, services, warn } = setUp();
      send(ours, channels.setBadge, count);
      expect(services.setBadge).not.toHaveBeenCalled();
      expect(warn).toHaveBeenCalledOnce();
    },
  );

  it('the shell does not fall over anything that a page sends', async () => {
    const { send, invoke, services } = setUp();
    await fc.assert(
      fc.asyncProperty(fc.anything(), fc.anything(), async (first, second) => {
        for (const channel of Object.values(channels)) send(ours, channel, first, second);
        await invoke(ours, channels.saveFile, first, second).catch((error: unknown) => {
          expect(error).toMatchObject({ name: 'Unfit' });
        });
      }),
    );
    for (const [{ tag, title, body }] of services.notify.mock.calls) {
      expect([typeof tag, typeof title, typeof body]).toEqual(['string', 'string', 'string']);
    }
  });
});
