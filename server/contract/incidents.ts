import { incidentBounds } from './quotas.ts';
import { z } from 'zod';
import { stating } from './conditions.ts';
import { driverThen } from './drivers.ts';
import { eventKind, hiddenId } from './events.ts';
import {
  id,
  lat,
  listQuery,
  lon,
  longText,
  mergePatchOf,
  oneOrMany,
  orderError,
  page,
  shortText,
  time,
  timeZone,
  version,
} from './fields.ts';
import { route } from './route.ts';
import { severity } from './rules.ts';

const tag = 'Incidents';

/** `closed` has a reason, and is left by `reopenIncident` alone. */
export const incidentStatus = z.enum(['open', 'in_progress', 'waiting', 'closed']);
export type IncidentStatus = z.infer<typeof incidentStatus>;

const checklistItem = z
  .object({
    item_id: z.int().min(1),
    text: z.string(),
    done: z
      .object({ user_id: id, user_name: z.string(), at: time })
      .nullable()
      .meta({ description: 'by whom and when it was ticked' }),
  })
  .meta({ id: 'IncidentChecklistItem' });
export type IncidentChecklistItem = z.infer<typeof checklistItem>;

export const incidentAction = z.enum([
  'created',
  'alarm_added',
  'alarm_removed',
  'alarm_acknowledged',
  'assigned',
  'status_changed',
  'renamed',
  'severity_changed',
  'note_added',
  'item_ticked',
  'item_cleared',
  'clip_added',
  'clip_removed',
  'clip_done',
  'clip_failed',
  'snapshot_added',
  'snapshot_removed',
  'closed',
  'reopened',
]);
export type IncidentAction = z.infer<typeof incidentAction>;

/** One line of what was done; lines are added and never changed. */
export const incidentEntry = z
  .object({
    entry_id: z.int().meta({ description: 'rises' }),
    time,
    action: incidentAction,
    user: z
      .object({ user_id: z.string(), name: z.string().meta({ description: 'at that time' }) })
      .nullable()
      .meta({ description: 'null: the server, by a rule or an SOS' }),
    text: z.string().nullable().meta({
      description:
        'of a note, of a checklist item, of the reason, of a snapshot; the name of the rule of an alarm',
    }),
    from: z.string().nullable().meta({ description: 'status, title, severity or owner before' }),
    to: z.string().nullable().meta({ description: 'the same after; the kind of a snapshot' }),
    notification_id: id.nullable(),
    task_id: id.nullable(),
    snapshot_id: id.nullable(),
  })
  .meta({ id: 'IncidentEntry' });
export type IncidentEntry = z.infer<typeof incidentEntry>;

export const snapshotKind = z.enum(['video', 'map']).meta({ description: 'what it is a picture of' });

/** A picture that somebody attached: the server keeps it with the incident. */
export const incidentSnapshot = z
  .object({
    snapshot_id: id,
    kind: snapshotKind,
    time: time.meta({ description: 'of what it shows' }),
    vehicle_id: id
      .nullable()
      .meta({ description: 'of what it shows; null: of an incident without a vehicle' }),
    channel: z.int().nullable().meta({ description: 'null: of the map, or of several channels' }),
    note: z.string().nullable(),
    width: z.int(),
    height: z.int(),
    size_bytes: z.int(),
    sha256: z.string(),
    created_by: id,
    created_at: time,
  })
  .meta({ id: 'IncidentSnapshot' });
export type IncidentSnapshot = z.infer<typeof incidentSnapshot>;

export const incident = z
  .object({
    incident_id: id,
    number: z.int().min(1).meta({ description: 'short and rising, to be spoken by phone' }),
    title: z.string(),
    status: incidentStatus,
    close_reason: z.string().nullable(),
    severity,
    opened_by: z.enum(['user', 'rule', 'sos']),
    event_kind: eventKind.nullable().meta({ description: 'of its first alarm; null: there was none' }),
    rule_id: hiddenId,
    owner_id: id.nullable().meta({ description: 'who handles it; null: nobody yet' }),
    owner_name: z.string().nullable(),
    vehicle_id: id.nullable(),
    geozone_id: hiddenId,
    driver: driverThen.nullable().meta({
      description:
        'who drove at that time, with the phone number of that time; null: nobody, or the caller may not see vehicles',
    }),
    lat: z.number().nullable(),
    lon: z.number().nullable(),
    place: z.string().nullable().meta({ description: 'the address, by the map files' }),
    time: time.meta({ description: 'the moment of what happened' }),
    from: time.meta({ description: 'the track of the vehicle that belongs to it begins here' }),
    to: time.meta({ description: 'and ends here' }),
    notification_ids: z
      .array(id)
      .meta({ description: 'the attached alarms, in the order in which they came' }),
    task_ids: z.array(id).meta({ description: 'the attached clips; only for callers who may see video' }),
    snapshots: z.array(incidentSnapshot).meta({
      description:
        'the attached snapshots, in the order in which they came; those of video only for callers who may see video',
    }),
    checklist: z.array(checklistItem),
    notes: z.int().meta({ description: 'how many' }),
    last_entry: incidentEntry.nullable().meta({ description: 'the newest line of the timeline' }),
    created_by: id.nullable().meta({ description: 'null: the server' }),
    created_at: time,
    updated_at: time,
    closed_at: time.nullable(),
    version: version.meta({ description: 'rises with title, status, severity and owner; for `If-Match`' }),
    revision: z.int().meta({ description: 'rises with everything, notes and ticks too' }),
  })
  .meta({ id: 'Incident' });
export type Incident = z.infer<typeof incident>;

/** With the newest lines of its timeline, newest first. */
const incidentDetail = incident.extend({ timeline: page(incidentEntry) }).meta({ id: 'IncidentDetail' });

export const newIncident = stating(
  z
    .strictObject({
      title: shortText.optional().meta({ description: 'left out: the name of the rule of its first alarm' }),
      severity: severity
        .optional()
        .meta({ description: 'left out: that of its worst alarm, else `warning`' }),
      notification_ids: z.array(id).max(100).default([]),
      vehicle_id: id.optional().meta({ description: 'left out: that of its first alarm' }),
      time: time.optional().meta({ description: 'left out: that of its first alarm, else now' }),
      lat: lat.optional().meta({ description: 'left out: where the vehicle was then' }),
      lon: lon.optional(),
      task_ids: z.array(id).max(incidentBounds.clips).default([]),
      owner_id: id.nullable().default(null),
      note: longText.nullable().default(null),
    })
    .check(({ value, issues }) => {
      const fault = (path: string, message: string) =>
        issues.push({ code: 'custom', input: value, path: [path], message });
      const { title, notification_ids, vehicle_id, lat, lon } = value;
      if ((lat === undefined) !== (lon === undefined)) fault('lat', 'needs lon, and lon needs lat');
      if (notification_ids.length > 0) return;
      if (title === undefined) fault('title', 'is needed without an alarm');
      if (vehicle_id === undefined && lat === undefined)
        fault('vehicle_id', 'is needed without an alarm or a point');
    }),
  { dependentRequired: { lat: ['lon'], lon: ['lat'] } },
  {
    anyOf: [
      { properties: { notification_ids: { minItems: 1 } }, required: ['notification_ids'] },
      { required: ['title', 'vehicle_id'] },
      { required: ['title', 'lat', 'lon'] },
    ],
  },
).meta({ id: 'NewIncident' });
export type NewIncident = z.output<typeof newIncident>;

const incidentPatch = mergePatchOf({
  title: shortText,
  status: incidentStatus.exclude(['closed']).meta({ description: 'of one that is not closed' }),
  severity,
  owner_id: id.nullable(),
}).meta({ id: 'IncidentPatch' });

const note = longText.nullable().default(null);
const exportZone = timeZone.optional().meta({ description: 'of its clocks; left out: that of the depot' });
const params = z.object({ incident_id: id });
const alarmParams = z.object({ incident_id: id, notification_id: id });
const clipParams = z.object({ incident_id: id, task_id: id });
const itemParams = z.object({
  incident_id: id,
  item_id: z.coerce.number().int().min(1).max(incidentBounds.items),
});
const path = '/api/v1/incidents';
const read = { right: 'notifications', level: 'read' } as const;
const write = { right: 'notifications', level: 'write' } as const;
/** An attached clip is kept, which takes of the disk. */
const video = { right: 'video', level: 'write' } as const;

export const incidentRoutes = {
  list: route({
    id: 'listIncidents',
    tag,
    method: 'GET',
    path,
    summary: 'List visible incidents, newest first',
    access: read,
    query: z
      .strictObject({
        ...listQuery,
        status: oneOrMany(incidentStatus).optional(),
        owner: z
          .union([id, z.enum(['me', 'nobody'])])
          .optional()
          .meta({ description: 'a user_id, `me` or `nobody`' }),
        vehicle: z.string().max(64).optional(),
        from: time.optional().meta({ description: 'opened at or after' }),
        to: time.optional().meta({ description: 'opened at or before' }),
        q: z
          .string()
          .max(100)
          .optional()
          .meta({ description: 'in number and title; with vehicles:read also in vehicle and driver' }),
      })
      .check(orderError),
    reply: page(incident),
    errors: ['not_found'],
  }),
  create: route({
    id: 'createIncident',
    tag,
    method: 'POST',
    path,
    summary: 'Open an incident: of alarms, of a vehicle and a moment, or of a point of the map',
    access: write,
    idempotent: true,
    body: newIncident,
    reply: incident,
    status: 201,
    errors: ['not_found', 'in_use', 'quota_exceeded'],
  }),
  get: route({
    id: 'getIncident',
    tag,
    method: 'GET',
    path: `${path}/{incident_id}`,
    summary: 'One incident, with the newest 200 lines of its timeline',
    access: read,
    params,
    reply: incidentDetail,
    errors: ['not_found'],
  }),
  pdf: route({
    id: 'getIncidentPdf',
    tag,
    method: 'GET',
    path: `${path}/{incident_id}/pdf`,
    summary: 'Export an incident as PDF, with its notes, alarms, clips, timeline and a map of the track',
    access: read,
    params,
    query: z.strictObject({ tz: exportZone }),
    exports: true,
    bytes: { contentTypes: ['application/pdf'] },
    errors: ['not_found', 'queue_full'],
  }),
  evidence: route({
    id: 'exportIncidentEvidence',
    tag,
    method: 'GET',
    path: `${path}/{incident_id}/evidence`,
    summary:
      'Export an incident as a ZIP: as JSON and PDF, with its clips, track, events and a manifest of checksums',
    access: read,
    params,
    query: z.strictObject({ tz: exportZone, note: z.string().max(2_000).optional() }),
    exports: true,
    bytes: { contentTypes: ['application/zip'] },
    errors: ['not_found', 'queue_full', 'file_missing'],
  }),
  timeline: route({
    id: 'listIncidentTimeline',
    tag,
    method: 'GET',
    path: `${path}/{incident_id}/timeline`,
    summary: 'List what was done, newest first',
    access: read,
    params,
    query: z.strictObject(listQuery),
    reply: page(incidentEntry),
    errors: ['not_found'],
  }),
  owners: route({
    id: 'listIncidentOwners',
    tag,
    method: 'GET',
    path: `${path}/{incident_id}/owners`,
    summary:
      'List the users who may own it: those who see it and may change it, as far as the caller may know of them',
    access: read,
    params,
    query: z.strictObject(listQuery),
    reply: page(z.object({ user_id: id, name: z.string() })),
    errors: ['not_found'],
  }),
  patch: route({
    id: 'patchIncident',
    tag,
    method: 'PATCH',
    path: `${path}/{incident_id}`,
    summary: 'Change title, status, severity or owner',
    access: write,
    versioned: true,
    params,
    body: incidentPatch,
    reply: incident,
    errors: ['not_found', 'version_conflict', 'in_use', 'quota_exceeded'],
  }),
  close: route({
    id: 'closeIncident',
    tag,
    method: 'POST',
    path: `${path}/{incident_id}/close`,
    summary:
      'Close it for a reason of the depot’s list; those of its open alarms that the caller sees are acknowledged',
    access: write,
    versioned: true,
    params,
    body: z.strictObject({ reason: shortText, note }),
    reply: incident,
    errors: ['not_found', 'version_conflict', 'in_use'],
  }),
  reopen: route({
    id: 'reopenIncident',
    tag,
    method: 'POST',
    path: `${path}/{incident_id}/reopen`,
    summary: 'Open a closed one again',
    access: write,
    versioned: true,
    params,
    body: z.strictObject({ note }).prefault({}),
    reply: incident,
    errors: ['not_found', 'version_conflict', 'in_use', 'quota_exceeded'],
  }),
  note: route({
    id: 'addIncidentNote',
    tag,
    method: 'POST',
    path: `${path}/{incident_id}/notes`,
    summary: 'Add a note; notes are never changed',
    access: write,
    idempotent: true,
    params,
    body: z.strictObject({ text: z.string().trim().min(1).max(2_000).meta({ pattern: '\\S' }) }),
    reply: incident,
    status: 201,
    errors: ['not_found', 'quota_exceeded'],
  }),
  tick: route({
    id: 'tickIncidentItem',
    tag,
    method: 'PUT',
    path: `${path}/{incident_id}/checklist/{item_id}`,
    summary: 'Tick an item of the checklist, or clear it',
    access: write,
    params: itemParams,
    body: z.strictObject({ done: z.boolean() }),
    reply: incident,
    errors: ['not_found', 'in_use', 'quota_exceeded'],
  }),
  attachAlarm: route({
    id: 'attachIncidentAlarm',
    tag,
    method: 'PUT',
    path: `${path}/{incident_id}/alarms/{notification_id}`,
    summary: 'Attach an alarm; an alarm belongs to one incident at most',
    access: write,
    params: alarmParams,
    reply: incident,
    errors: ['not_found', 'in_use', 'quota_exceeded'],
  }),
  detachAlarm: route({
    id: 'detachIncidentAlarm',
    tag,
    method: 'DELETE',
    path: `${path}/{incident_id}/alarms/{notification_id}`,
    summary: 'Detach an alarm',
    access: write,
    params: alarmParams,
    reply: incident,
    errors: ['not_found', 'in_use', 'quota_exceeded'],
  }),
  attachClip: route({
    id: 'attachIncidentClip',
    tag,
    method: 'PUT',
    path: `${path}/{incident_id}/clips/{task_id}`,
    summary: 'Attach a clip, requested or there; it is kept while the incident is not closed',
    access: write,
    alsoNeeds: video,
    params: clipParams,
    reply: incident,
    errors: ['not_found', 'in_use', 'quota_exceeded'],
  }),
  detachClip: route({
    id: 'detachIncidentClip',
    tag,
    method: 'DELETE',
    path: `${path}/{incident_id}/clips/{task_id}`,
    summary: 'Detach a clip',
    access: write,
    alsoNeeds: video,
    params: clipParams,
    reply: incident,
    errors: ['not_found', 'in_use', 'quota_exceeded'],
  }),
};
