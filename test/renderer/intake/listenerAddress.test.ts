import { describe, expect, it } from 'vitest';
import { listenerAddress, inOrder } from '../../../renderer/intake/intakeLabels.ts';

describe('the settings of a terminal', () => {
  it('the settings of a terminal are the address of this machine and the port of the listener', () => {
    const listener = { name: 'teltonika', port: 5027, transports: ['tcp', 'udp'] } as const;
    expect(listenerAddress({ ...listener, transports: [...listener.transports] }, '10.0.0.2', null)).toEqual({
      kind: 'host_and_port',
      host: '10.0.0.2',
      port: 5027,
    });
  });

  it('the settings of a terminal are one address with all in it, for apps', () => {
    const listener = { name: 'osmand', port: 5055, transports: ['http'] } as const;
    const of = (host: string) =>
      listenerAddress({ ...listener, transports: [...listener.transports] }, host, null);
    expect(of('10.0.0.2')).toEqual({ kind: 'url', url: 'http://10.0.0.2:5055' });
    expect(of('fd00::2')).toEqual({ kind: 'url', url: 'http://[fd00::2]:5055' });
  });

  it('the settings of a terminal have none for video: the host sends it, another address where one is set', () => {
    const listener = { name: 'jt1078', port: 5078, transports: ['tcp'] } as const;
    const of = (media: Parameters<typeof listenerAddress>[2]) =>
      listenerAddress({ ...listener, transports: [...listener.transports] }, '10.0.0.2', media);
    expect(of(null)).toEqual({ kind: 'published', host: '10.0.0.2', port: 5078 });
    expect(of({ host: 'video.example', port: 7000 })).toEqual({
      kind: 'published',
      host: 'video.example',
      port: 7000,
    });
  });
});

it('listeners are listed by the number of their terminals, video last', () => {
  const listeners = (['jt1078', 'osmand', 'jt808', 'wialon', 'teltonika'] as const).map((name) => ({ name }));
  expect(inOrder(listeners).map(({ name }) => name)).toEqual([
    'teltonika',
    'wialon',
    'jt808',
    'osmand',
    'jt1078',
  ]);
});
