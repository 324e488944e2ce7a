import { z } from 'zod';
import { effectiveRights, rights, role } from '../contract/rights.ts';
import { mapView, type MapViews } from '../contract/mapViews.ts';
import { keptPreferences, type UserPreferences } from '../contract/preferences.ts';
import type { Wording } from '../contract/texts/serverWords.ts';
import { stamps } from '../contract/fields.ts';
import { reportLayout, type ReportLayouts } from '../contract/reportLayouts.ts';
import type { User } from '../contract/users.ts';
import type { Measure } from '../http/quotas.ts';

/** A `sessions_since` that ends none. */
export const everySession = '1970-01-01T00:00:00.000Z';

/** A user as the store keeps it. */
export const userRecord = z.object({
  user_id: z.string(),
  login: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  role,
  rights,
  group_ids: z.array(z.string()),
  blocked: z.boolean(),
  /** As `hashPassword` writes it. */
  password_hash: z.string(),
  /**
   * Sessions that began before are ended, set by blocking and by a new password. It stands in the same write as these:
   * the sessions lie in another store, and what deletes them there may be cut short.
   */
  sessions_since: z.string().default(everySession),
  /** JWTs for programs, where they need a grant; given on the machine of the host alone. */
  api_access: z.boolean().optional(),
  /** Saved views of the map, with a version of their own: whoever edits the user does not see them. */
  map_views: z.object({ version: z.int(), views: z.array(mapView) }).optional(),
  /** The same of how reports are shown. */
  report_layouts: z.object({ version: z.int(), layouts: z.record(z.string(), reportLayout) }).optional(),
  /** The same of what is set for the console. */
  preferences: keptPreferences.optional(),
  ...stamps,
});
export type UserRecord = z.infer<typeof userRecord>;

export const userMeasures: readonly Measure<UserRecord>[] = [
  { quota: 'users', of: () => 1 },
  { quota: 'user_groups', of: ({ group_ids }) => group_ids.length },
];

/** What others may see of a user, with the rights in effect: a dealer has all. */
export function presentUser(record: UserRecord): User {
  const { password_hash: _, sessions_since: _1, api_access: _2, ...own } = record;
  const { map_views: _3, report_layouts: _4, preferences: _5, ...user } = own;
  return { ...user, rights: effectiveRights(record) };
}

/** Two logins are one when they differ in letter case or composition alone. */
export function loginKey(login: string): string {
  return login.normalize('NFKC').toLowerCase();
}

/** What users keep for themselves alone. */
export interface OwnDocuments {
  map_views: MapViews;
  report_layouts: ReportLayouts;
  preferences: UserPreferences;
}

const emptyDocuments: OwnDocuments = {
  map_views: { version: 1, views: [] },
  report_layouts: { version: 1, layouts: {} },
  preferences: { version: 1, preferences: {} },
};

export const ownDocument = <Name extends keyof OwnDocuments>(
  user: UserRecord,
  name: Name,
): OwnDocuments[Name] => (user as Partial<OwnDocuments>)[name] ?? emptyDocuments[name];

/** In which language and units files and emails are for a user; null: for nobody who is known. */
export function wordingOf(user: UserRecord | null | undefined): Wording {
  if (user === null || user === undefined) return {};
  const { language, distance_unit, hour_cycle } = ownDocument(user, 'preferences').preferences;
  return { language, distance_unit, hour_cycle };
}
