import type { Tokens } from '../../../renderer/auth/tokens.ts';
import type { FakeClock } from '../../support/fakeClock.ts';

/** A session of a dealer that lasts for an hour by its own claims. */
export function grantedJwt(clock: FakeClock): Parameters<Tokens['grant']>[0] {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const iat = Math.floor(clock.now() / 1_000);
  const claims = {
    sub: 'u',
    sid: 's',
    role: 'dealer',
    rights: {},
    iat,
    exp: iat + 3_600,
    iss: 'i',
    aud: 'a',
  };
  const created_at = new Date(clock.now()).toISOString();
  return {
    jwt: `${part({ alg: 'HS256' })}.${part(claims)}.signature`,
    expires_at: new Date(clock.now() + 3_600_000).toISOString(),
    user: {
      user_id: '6f3c1c52-6d3f-4c49-9d0a-0d3f0a3b6c11',
      login: 'k.weiss',
      name: null,
      email: null,
      role: 'dealer',
      rights: {
        vehicles: 'write',
        geofences: 'write',
        notifications: 'write',
        reports: 'read',
        video: 'write',
      },
      group_ids: [],
      blocked: false,
      version: 1,
      created_at,
      updated_at: created_at,
    },
  };
}
