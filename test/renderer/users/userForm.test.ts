import { describe, expect, it } from 'vitest';
import { newUser } from '../../../server/contract/users.ts';
import { isReadOnly } from '../../../server/contract/rights.ts';
import type { User } from '../../../server/contract/users.ts';
import { browserName } from '../../../renderer/users/SessionList.tsx';
import {
  formOf,
  newRights,
  newUserOf,
  patchOf,
  visibleTo,
  wallUserForm,
} from '../../../renderer/users/userForm.ts';

const noon = '2026-11-21T12:00:00.000Z';
const anna: User = {
  user_id: 'u1',
  login: 'anna',
  name: 'Anna Weiss',
  email: null,
  role: 'user',
  rights: newRights,
  group_ids: ['north', 'south'],
  blocked: false,
  version: 3,
  created_at: noon,
  updated_at: noon,
};

describe('the form of a user', () => {
  it('the form of a user is filled for a wall display with a free login, all groups and no right to change anything', () => {
    const random = Uint8Array.from({ length: 20 }, (_, at) => at * 13);
    const form = wallUserForm('Wall display', {
      users: [{ login: 'Wall' }, { login: 'wall-2' }],
      groupIds: ['north'],
      random,
    });
    expect(form).toMatchObject({ login: 'wall-3', name: 'Wall display', group_ids: ['north'] });
    expect(form.password).toMatch(/^[A-Za-z2-9]{20}$/);
    expect(isReadOnly(form)).toBe(true);
    expect(newUser.safeParse({ ...newUserOf(form), group_ids: [] }).success).toBe(true);
  });

  it('the form of a user sends nothing that was not changed', () => {
    expect(patchOf(formOf(anna), anna)).toBeNull();
    expect(patchOf({ ...formOf(anna), group_ids: ['south', 'north'] }, anna)).toBeNull();
  });

  it('the form of a user sends what was changed, an emptied field as nothing', () => {
    const form = {
      ...formOf(anna),
      name: '  ',
      password: 'a new password',
      rights: { ...newRights, video: 'read' as const },
      group_ids: ['north'],
    };
    expect(patchOf(form, anna)).toEqual({
      name: null,
      password: 'a new password',
      rights: { video: 'read' },
      group_ids: ['north'],
    });
  });

  it('the form of a user makes a user of what was typed', () => {
    expect(newUserOf({ ...formOf(null), login: ' ben ', password: ' ten signs ', email: '' })).toEqual({
      login: 'ben',
      password: ' ten signs ',
      name: null,
      email: null,
      role: 'user',
      rights: newRights,
      group_ids: [],
    });
  });
});

describe('the view of a user', () => {
  const vehicles = [{ group_ids: ['north'] }, { group_ids: ['south', 'north'] }, { group_ids: [] }];
  it('the view of a user is counted before it is saved', () => {
    expect(visibleTo({ role: 'user', group_ids: [] }, vehicles)).toBe(0);
    expect(visibleTo({ role: 'user', group_ids: ['north'] }, vehicles)).toBe(2);
    expect(visibleTo({ role: 'dealer', group_ids: [] }, vehicles)).toBe(3);
  });
});

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML) Chrome/140.0 Safari/537.36', 'Chrome, Linux'],
  ['Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0', 'Firefox, Windows'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) Chrome/140 Electron/45.4.1 Safari/537.36',
    'Fleetdeck, macOS',
  ],
  ['curl/8.5.0', 'curl'],
  ['depot-sync 2', 'depot-sync 2'],
  ['', null],
  [null, null],
])('a session is identified by its program: %s', (agent, name) => {
  expect(browserName(agent)).toBe(name);
});
