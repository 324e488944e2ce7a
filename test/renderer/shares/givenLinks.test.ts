import { describe, expect, it } from 'vitest';
import { givenLinks, isOfServerAlone } from '../../../renderer/shares/givenLinks.ts';

const at = (host: string) => `http://${host}:8080/share#token`;

describe('the links to send', () => {
  it('the links to send are those that others can open, first that of the address of this console', () => {
    const links = [at('127.0.0.1'), at('192.168.1.4'), at('depot.local')];
    expect(givenLinks(links, 'https://fleet.example')).toEqual([
      'https://fleet.example/share#token',
      at('192.168.1.4'),
      at('depot.local'),
    ]);
    expect(givenLinks(links, 'http://192.168.1.4:8080')).toEqual([at('192.168.1.4'), at('depot.local')]);
    // The console of another computer's server is reached by an end of its own on this one.
    expect(givenLinks(links, 'http://127.0.0.1:51234')).toEqual([at('192.168.1.4'), at('depot.local')]);
  });

  it('a link that the computer of the server alone can open is given where there is no other, and said to be one', () => {
    const given = givenLinks([at('127.0.0.1')], 'http://localhost:8080');
    expect(given).toEqual([at('127.0.0.1')]);
    expect(given.every(isOfServerAlone)).toBe(true);
    expect(isOfServerAlone(at('[::1]'))).toBe(true);
    expect(isOfServerAlone(at('127.example.org'))).toBe(false);
  });
});
