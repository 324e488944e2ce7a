import { describe, expect, it } from 'vitest';
import { listenerAddress, inOrder } from '../../../renderer/intake/listenerAddress.ts';

describe('what is entered in a terminal', () => {
  it('is the address of this machine and the port of the door', () => {
    const listener = { name: 'teltonika', port: 5027, transports: ['tcp', 'udp'] } as const;
    expect(listenerAddress({ ...listener, transports: [...listener.transports] }, '10.0.0.2', null)).toEqual({
      kind: 'host_and_port',
      host: '10.0.0.2',
      port: 5027,
    });
  });

  it('is one address with all in it, for apps', () => {
    const listener = { name: 'osmand', port: 5055, transports: ['http'] } as const;
    const of = (host: string) =>
      listenerAddress({ ...listener, transports: [...listener.transports] }, host, null);
    expect(of('10.0.0.2')).toEqual({ kind: 'url', url: 'http://10.0.0.2:5055' });
    expect(of('fd00::2')).toEqual({ kind: 'url', url: 'http://[fd00::2]:5055' });
  });

  it('is nothing for video: terminals are told, of another address where there is one', () => {
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

it('doors stand in the order of how many terminals come by them, video last', () => {
  const listeners = (['jt1078', 'osmand', 'jt808', 'wialon', 'teltonika'] as const).map((name) => ({ name }));
  expect(inOrder(listeners).map(({ name }) => name)).toEqual([
    'teltonika',
    'wialon',
    'jt808',
    'osmand',
    'jt1078',
  ]);
});
