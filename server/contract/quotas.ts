/** The most that one kind of thing may become. */
export interface Quota {
  most: number;
  /** What is counted, in words. */
  of: string;
  /** Whose they are together: all of the depot's, or those of one user who is no dealer. */
  per: 'depot' | 'user' | 'vehicle';
  why: string;
}

/**
 * How much users can set up. What is beyond is refused with 409 `quota_exceeded`; what an earlier version let in stays,
 * and can be changed, as long as it does not grow. The documents are whole in memory and written whole at each change.
 */
export const quotas = {
  users: { most: 2_000, of: 'users', per: 'depot', why: 'a login is looked up among all of them' },
  user_groups: {
    most: 200_000,
    of: 'memberships of users in groups',
    per: 'depot',
    why: '8 MB of the document; 100 groups for each of 2,000 users',
  },
  api_tokens: {
    most: 5_000,
    of: 'API tokens',
    per: 'depot',
    why: 'each program needs one; some MB of the document',
  },
  api_tokens_of_user: {
    most: 20,
    of: 'API tokens of one user',
    per: 'user',
    why: 'more than one can keep apart',
  },
  shares: {
    most: 2_000,
    of: 'links that share a vehicle',
    per: 'depot',
    why: 'each is looked at by somebody who polls; 1 MB in memory',
  },
  shares_of_user: {
    most: 200,
    of: 'links by which one user shares vehicles',
    per: 'user',
    why: 'so it takes at least ten users to reach the limit',
  },
  shares_of_vehicle: {
    most: 20,
    of: 'links that share one vehicle',
    per: 'vehicle',
    why: 'more customers than wait for one vehicle',
  },
  groups: { most: 5_000, of: 'groups', per: 'depot', why: 'each user brings one; the rest is for dealers' },
  vehicles: {
    most: 50_000,
    of: 'vehicles, archived ones too',
    per: 'depot',
    why: 'five times the largest depot that the host was measured with',
  },
  vehicles_of_user: {
    most: 10_000,
    of: 'vehicles that one user added, archived ones too',
    per: 'user',
    why: 'a whole depot in two imports, with capacity left for other users',
  },
  vehicle_groups: {
    most: 500_000,
    of: 'memberships of vehicles in groups',
    per: 'depot',
    why: '20 MB of the document; 10 groups for each of 50,000 vehicles',
  },
  vehicle_attributes: {
    most: 32 * 1024 * 1024,
    of: 'characters in the attributes of vehicles',
    per: 'depot',
    why: '600 for each of 50,000 vehicles',
  },
  vehicle_attributes_of_user: {
    most: 8 * 1024 * 1024,
    of: 'characters in the attributes of the vehicles that one user added',
    per: 'user',
    why: '800 for each of 10,000 vehicles',
  },
  drivers: {
    most: 20_000,
    of: 'drivers, archived ones too',
    per: 'depot',
    why: 'two shifts of the largest depot that the host was measured with',
  },
  drivers_of_user: {
    most: 5_000,
    of: 'drivers that one user added, archived ones too',
    per: 'user',
    why: 'so it takes at least four users to reach the limit',
  },
  driver_groups: {
    most: 200_000,
    of: 'memberships of drivers in groups',
    per: 'depot',
    why: '8 MB of the records; 10 groups for each of 20,000 drivers',
  },
  assignments: {
    most: 50_000,
    of: 'assignments of drivers to vehicles',
    per: 'depot',
    why: '20 MB in memory; those that ended go with the positions of their time',
  },
  assignments_of_user: {
    most: 10_000,
    of: 'assignments that one user added',
    per: 'user',
    why: 'so it takes at least five users to reach the limit',
  },
  geofences: { most: 20_000, of: 'geofences', per: 'depot', why: 'four of the largest imports' },
  geofences_of_user: {
    most: 1_000,
    of: 'geofences that one user added',
    per: 'user',
    why: 'an import of 5,000 is for dealers; so it takes at least twenty users to reach the limit',
  },
  corners: {
    most: 1_000_000,
    of: 'corners of geofences',
    per: 'depot',
    why: '45 MB of the document; 50 for each of 20,000 geofences, or 50 geofences of 20,000',
  },
  corners_of_user: {
    most: 100_000,
    of: 'corners of the geofences that one user added',
    per: 'user',
    why: 'five geofences of the largest kind',
  },
  geofence_groups: {
    most: 200_000,
    of: 'groups that geofences hold for',
    per: 'depot',
    why: '8 MB of the document; 10 for each of 20,000 geofences',
  },
  rules: { most: 2_000, of: 'rules', per: 'depot', why: 'each of them is asked at every event' },
  rules_of_user: { most: 200, of: 'rules of one user', per: 'user', why: 'more than one can keep apart' },
  rule_names: {
    most: 1_000_000,
    of: 'vehicles, groups and geofences that rules name',
    per: 'depot',
    why: '40 MB of the document; 500 for each of 2,000 rules',
  },
  rule_names_of_user: {
    most: 100_000,
    of: 'vehicles, groups and geofences that the rules of one user name',
    per: 'user',
    why: '500 for each of 200 rules, or ten rules of the largest kind',
  },
  profiles: { most: 50_000, of: 'video profiles', per: 'depot', why: 'one for each vehicle' },
  maps: { most: 50, of: 'map files', per: 'depot', why: 'each is asked for its part of every tile' },
  map_uploads: { most: 5, of: 'unfinished uploads of map files', per: 'depot', why: 'each holds disk space' },
  map_regions: {
    most: 1,
    of: 'unfinished downloads of regions',
    per: 'depot',
    why: 'each takes what the connection to the internet gives',
  },
  report_jobs: {
    most: 200,
    of: 'unfinished report jobs',
    per: 'depot',
    why: 'so many wait for the threads of reports, hours at the worst',
  },
  report_jobs_of_user: {
    most: 10,
    of: 'unfinished report jobs of one user',
    per: 'user',
    why: 'so it takes at least twenty users to reach the limit',
  },
  report_schedules: {
    most: 500,
    of: 'scheduled reports',
    per: 'depot',
    why: 'all may be due at the same time',
  },
  report_schedules_of_user: {
    most: 50,
    of: 'scheduled reports of one user',
    per: 'user',
    why: 'more than one can keep apart',
  },
  snoozes: {
    most: 10_000,
    of: 'snoozes',
    per: 'depot',
    why: 'each is asked at every notification that is shown',
  },
  snoozes_of_user: {
    most: 1_000,
    of: 'snoozes of one user',
    per: 'user',
    why: 'one bulk action over a large list',
  },
  incidents: {
    most: 5_000,
    of: 'incidents that are not closed',
    per: 'depot',
    why: 'more than a depot ever works on; beyond it alarms stay in the queue alone, but for an SOS',
  },
  incidents_of_user: {
    most: 500,
    of: 'incidents that one user or the rules of that user opened and that are not closed',
    per: 'user',
    why: 'so it takes at least ten users to reach the limit',
  },
  snapshots: {
    most: 20_000,
    of: 'snapshots attached to incidents',
    per: 'depot',
    why: 'ten a day over five years',
  },
  snapshots_of_user: {
    most: 4_000,
    of: 'snapshots that one user attached to incidents',
    per: 'user',
    why: 'so it takes at least five users to reach the limit',
  },
  snapshot_bytes: {
    most: 8 * 1024 * 1024 * 1024,
    of: 'bytes of snapshots attached to incidents',
    per: 'depot',
    why: '400 KB for each of 20,000; each backup holds them',
  },
  snapshot_bytes_of_user: {
    most: 1600 * 1024 * 1024,
    of: 'bytes of snapshots that one user attached to incidents',
    per: 'user',
    why: 'so it takes at least five users to reach the limit',
  },
  waiting_commands: {
    most: 50,
    of: 'commands that wait for one terminal',
    per: 'vehicle',
    why: 'a terminal answers one after the other, in seconds each',
  },
  waiting_commands_of_user: {
    most: 1_000,
    of: 'waiting commands of one user',
    per: 'user',
    why: 'one for each vehicle of a large list',
  },
} as const satisfies Record<string, Quota>;

export type QuotaName = keyof typeof quotas;

/** What is kept of each user and gives way instead of being refused: the least recent goes. */
export const keptPerUser = {
  /** A tool that logs in every minute ends its own oldest sessions; who refreshes a session keeps it. */
  sessions: 200,
  /** An hour of calls at the permitted rate. */
  idempotency_keys: 10_000,
} as const;

/** What one incident may hold. An alarm beyond that opens the next incident; people are refused. */
export const incidentBounds = {
  /** Attached alarms; those of a rule that fires all day. */
  alarms: 200,
  /** Attached clips. */
  clips: 100,
  /** Attached snapshots, and the bytes of all together and of one. */
  snapshots: 50,
  snapshotsBytes: 24 * 1024 * 1024,
  snapshotBytes: 2 * 1024 * 1024,
  /** Further vehicles that a snapshot shows; as many ids as every proxy takes in an address. */
  snapshotVehicles: 200,
  /** Width or height of a snapshot, pixels. */
  snapshotSide: 8_192,
  notes: 500,
  /** Characters of all notes together. */
  noteChars: 200_000,
  /** Entries of the timeline that people add, */
  entries: 2_000,
  /** and so many more for what the server adds: of a clip that is requested again and again no end is noted beyond. */
  hostEntries: 1_000,
  /** Items of a checklist. */
  items: 30,
} as const;
