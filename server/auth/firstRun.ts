import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Language } from '../contract/languages.ts';
import { newUser } from '../contract/users.ts';
import { ApiError, forbidden, notFound } from '../http/apiError.ts';
import type { AllowedHosts } from '../http/allowedHosts.ts';
import { translatedDefaults } from '../settings/defaultTexts.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { UserRecord } from '../users/userRecord.ts';
import type { Users } from '../users/users.ts';

/** 100 bits in groups that can be read aloud: letters and digits that are not taken for one another. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const codeLength = 20;

function makeCode(): string {
  const letters = [...randomBytes(codeLength)].map((byte) => alphabet[byte % alphabet.length]).join('');
  return letters.replaceAll(/(.{5})(?=.)/g, '$1-');
}

export type FirstRun = ReturnType<typeof createFirstRun>;

export function createFirstRun(
  users: Pick<Users, 'all' | 'add' | 'setOwnDocument'>,
  ownNames: AllowedHosts,
  settings: Pick<SettingsStore, 'now' | 'patch'>,
) {
  let code = users.all().length === 0 ? makeCode() : null;

  function isCode(given: string): boolean {
    const input = Buffer.from(code ?? '');
    const found = Buffer.from(given.trim().toUpperCase());
    return code !== null && found.length === input.length && timingSafeEqual(found, input);
  }

  return {
    /** The one-time code while no user exists, else null. */
    code: (): string | null => (users.all().length === 0 ? code : null),

    /** Throws 404 once there is a user, 403 from elsewhere than this machine's own console, 401 for a wrong code. */
    async makeDealer(
      input: { code: string; login: string; password: string; language: Language },
      from: { address: string; origin: string | undefined },
    ): Promise<UserRecord> {
      if (users.all().length > 0 || code === null) throw notFound('set-up: this depot has its users');
      if (from.address !== '127.0.0.1' || !ownNames.isOwnOrigin(from.origin)) {
        throw forbidden('The first dealer is made on this machine, in its own console.');
      }
      if (!isCode(input.code)) throw new ApiError('credentials_invalid', 'The set-up code is wrong.');
      const spent = code;
      code = null;
      try {
        const dealer = await users.add(
          newUser.parse({ login: input.login, password: input.password, role: 'dealer' }),
          { kind: 'address', id: from.address },
        );
        // The console's hints are for a new depot: whoever comes to one that is in use has colleagues to ask.
        const hinted = { preferences: { hints_seen: [] } };
        await users.setOwnDocument(dealer.user_id, 'preferences', hinted, null);
        // Once, at set-up: from then on they are the depot's own texts, which nothing translates or overwrites.
        if (input.language !== 'en')
          await settings.patch(translatedDefaults(settings.now(), input.language), null);
        return dealer;
      } catch (error) {
        code = spent;
        throw error;
      }
    },
  };
}
