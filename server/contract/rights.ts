import { z } from 'zod';

export const role = z.enum(['dealer', 'user']);
export type Role = z.infer<typeof role>;

export const rightNames = ['vehicles', 'geofences', 'notifications', 'reports', 'video'] as const;
export type RightName = (typeof rightNames)[number];

export const rightLevel = z.enum(['none', 'read', 'write']);
export type RightLevel = z.infer<typeof rightLevel>;

/** A missing key takes its default: all but video may be read. */
export const rights = z
  .strictObject({
    vehicles: rightLevel.default('read'),
    geofences: rightLevel.default('read'),
    notifications: rightLevel.default('read'),
    reports: rightLevel.default('read'),
    video: rightLevel.default('none'),
  })
  .meta({ id: 'Rights' });
export type Rights = z.infer<typeof rights>;

const rank: Record<RightLevel, number> = { none: 0, read: 1, write: 2 };

export function meetsLevel(granted: RightLevel, requested: RightLevel): boolean {
  return rank[granted] >= rank[requested];
}

/** What a user may in effect do: a dealer everything. */
export function effectiveRights({ role, rights: granted }: { role: Role; rights: Rights }): Rights {
  return role === 'dealer'
    ? { vehicles: 'write', geofences: 'write', notifications: 'write', reports: 'write', video: 'write' }
    : granted;
}

/** Whether a user has no right to change anything of the depot, as that of a wall display. */
export const isReadOnly = ({ role, rights: granted }: { role: Role; rights: Rights }): boolean =>
  role === 'user' && rightNames.every((name) => granted[name] !== 'write');
