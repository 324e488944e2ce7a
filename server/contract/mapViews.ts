import { z } from 'zod';
import { id } from './fields.ts';

/** What an operator has the map show. */
export const mapLayerChoice = z.object({
  labels: z.boolean().default(true).meta({ description: 'names of streets and places' }),
  poi: z.boolean().default(true).meta({ description: 'points of interest' }),
  trails: z.boolean().default(true),
  geofences: z.boolean().default(true),
  hidden_group_ids: z
    .array(z.union([id, z.literal('all')]))
    .max(200)
    .default([])
    .meta({ description: 'whose geofences are not shown; `all` for those that apply to every vehicle' }),
  imagery: z.boolean().default(true),
});
export type MapLayerChoice = z.infer<typeof mapLayerChoice>;
