import { z } from 'zod';
import { id, oneOrMany, time } from './fields.ts';
import { incident, incidentSnapshot, snapshotKind } from './incidents.ts';
import { incidentBounds } from './quotas.ts';
import { route } from './route.ts';

const tag = 'Incidents';
const path = '/api/v1/incidents/{incident_id}/snapshots';
const read = { right: 'notifications', level: 'read' } as const;
const write = { right: 'notifications', level: 'write' } as const;
const params = z.object({ incident_id: id });
const snapshotParams = z.object({ incident_id: id, snapshot_id: id });

/** Apart from the others, since the console loads them when they are used. */
export const snapshotRoutes = {
  attach: route({
    id: 'attachIncidentSnapshot',
    tag,
    method: 'POST',
    path,
    summary: 'Attach a snapshot, a JPEG; one of video needs video:read, too',
    access: write,
    idempotent: true,
    params,
    query: z
      .strictObject({
        kind: snapshotKind,
        time: time.meta({ description: 'of what it shows' }),
        vehicle_id: id.optional().meta({ description: 'of what it shows; left out: that of the incident' }),
        shown_vehicle_ids: oneOrMany(id)
          .check(z.maxLength(incidentBounds.snapshotVehicles))
          .optional()
          .meta({ description: 'all that can be seen on it: it goes with what is deleted of any of them' }),
        channel: z.coerce.number().int().min(1).max(255).optional().meta({ description: 'of video' }),
        note: z.string().trim().min(1).max(500).optional(),
      })
      .check(({ value: { kind, channel }, issues }) => {
        if (kind === 'map' && channel !== undefined)
          issues.push({ code: 'custom', input: channel, path: ['channel'], message: 'a map has none' });
      }),
    bytesBody: { contentType: 'image/jpeg', most: incidentBounds.snapshotBytes, isWhole: true },
    reply: incidentSnapshot,
    status: 201,
    errors: ['not_found', 'forbidden', 'in_use', 'quota_exceeded', 'disk_full'],
  }),
  picture: route({
    id: 'getIncidentSnapshot',
    tag,
    method: 'GET',
    path: `${path}/{snapshot_id}`,
    summary: 'The picture of a snapshot',
    access: read,
    params: snapshotParams,
    bytes: { contentTypes: ['image/jpeg'] },
    errors: ['not_found', 'file_missing'],
  }),
  remove: route({
    id: 'removeIncidentSnapshot',
    tag,
    method: 'DELETE',
    path: `${path}/{snapshot_id}`,
    summary: 'Delete a snapshot',
    access: write,
    params: snapshotParams,
    reply: incident,
    errors: ['not_found', 'in_use', 'quota_exceeded'],
  }),
};
