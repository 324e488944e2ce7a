import { beforeAll, describe, expect, it } from 'vitest';
import { hashOfNoPassword, hashPassword, isPassword } from '../../../server/users/password.ts';

const workOf = (hash: string) => hash.split('$').slice(0, -2);
const bytesOf = (hash: string) =>
  hash
    .split('$')
    .slice(-2)
    .map((part) => Buffer.from(part, 'base64url').length);

const password = 'Zu\u0308ge am Gleis';
let hash: string;
beforeAll(() => {
  hash = hashPassword(password);
});

describe('the hash of a password', () => {
  it('the hash of a password is met by that password alone, however its letters are composed', () => {
    expect(isPassword('Z\u00fcge am Gleis', hash)).toBe(true);
    expect(isPassword('Zuge am Gleis', hash)).toBe(false);
  });

  it('the hash of a password is another one each time, so that equal passwords cannot be recognised', () => {
    expect(hashPassword(password)).not.toBe(hash);
  });
});

describe('the hash of no password', () => {
  it('the hash of no password takes as much work to check as a real one, and is met by nothing', () => {
    const none = hashOfNoPassword();
    expect(workOf(none)).toEqual(workOf(hash));
    expect(bytesOf(none)).toEqual(bytesOf(hash));
    expect(isPassword('', none)).toBe(false);
    expect(hashOfNoPassword()).not.toBe(none);
  });
});
