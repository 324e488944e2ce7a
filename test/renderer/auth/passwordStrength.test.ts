import { describe, expect, it } from 'vitest';
import { passwordStrength } from '../../../renderer/auth/passwordStrength.ts';

describe('the strength of a password', () => {
  it('the strength of a password is weak while it is too short, all alike, or one’s login', () => {
    expect(passwordStrength('', 'k')).toBe(0);
    expect(passwordStrength('Sh0rt!', 'k')).toBe(1);
    expect(passwordStrength('aaaaaaaaaaaaaaaaaaaa', 'k')).toBe(1);
    expect(passwordStrength('k.weissk.weissk.weiss', 'k.weiss')).toBe(1);
  });

  it('the strength of a password grows with length, not with signs', () => {
    expect(passwordStrength('P@ssw0rd!x', 'k')).toBe(2);
    expect(passwordStrength('correct horse battery staple', 'k')).toBe(4);
  });
});
