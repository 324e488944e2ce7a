import { z } from 'zod';
import { stating } from './conditions.ts';
import { id, mergePatchOf, shortText, stamps, terminalId } from './fields.ts';

const profileKind = z.enum(['http', 'jt1078', 'simulated']);

const channels = z
  .array(z.strictObject({ channel: z.int().min(1).max(255), name: shortText }))
  .min(1)
  .max(32)
  .refine((list) => new Set(list.map((it) => it.channel)).size === list.length, 'names a channel twice')
  .meta({ uniqueItems: true, description: 'each channel once' });

/** Of a user name; what a header cannot hold. */
export const noControls = /^\P{Cc}*$/u;
export const bearerToken = /^[\x21-\x7e]+$/;

const placeholders =
  /^([^{}]|\{(channel|channel_name|from|to|from_local|to_local|from_unix|to_unix|duration_s)\})*$/;
const cameraUrl = z
  .string()
  .max(2_000)
  .regex(/^https?:\/\/[^/?#@\s]+([/?#]\S*)?$/, 'is not an http or https address without credentials in it')
  .regex(placeholders, 'has a placeholder that is not known')
  .meta({ format: 'uri-template' });

export const httpConnection = z
  .strictObject({
    url: cameraUrl,
    auth: z.enum(['none', 'basic', 'digest', 'bearer']).optional(),
    username: z.string().max(200).meta({ pattern: noControls.source }).optional(),
    password: z.string().max(2_000).optional(),
  })
  .meta({ id: 'HttpConnection' });

const utcOffset = z.int().min(-720).max(840).meta({
  description: "minutes that the terminal's clock is ahead of UTC; 480, as the standard prescribes",
});
export const streamKind = z.enum(['main', 'sub']);

/** The terminal connects to the server and is identified by its number: the terminal ID of the vehicle. */
export const jt1078Connection = z
  .strictObject({ utc_offset_min: utcOffset.optional(), stream: streamKind.optional() })
  .meta({ id: 'Jt1078Connection' });

/** By kind: `http` needs its address, a JT/T 1078 terminal nothing, the simulated camera takes nothing. */
const connection = z.union([httpConnection, jt1078Connection]);

const fields = {
  terminal_id: terminalId.optional(),
  vehicle_id: id.optional(),
  name: shortText.nullable().default(null),
  kind: profileKind,
  channels,
  connection: connection.default({}),
};

export const newProfile = stating(
  z.strictObject(fields),
  { anyOf: [{ required: ['terminal_id'] }, { required: ['vehicle_id'] }] },
  {
    oneOf: [
      {
        properties: {
          kind: { const: 'http' },
          connection: {
            required: ['url'],
            if: { properties: { auth: { const: 'bearer' } }, required: ['auth'] },
            then: { properties: { password: { pattern: bearerToken.source } }, required: ['password'] },
          },
        },
        required: ['connection'],
      },
      {
        properties: {
          kind: { const: 'jt1078' },
          connection: { propertyNames: { enum: Object.keys(jt1078Connection.shape) } },
        },
      },
      { properties: { kind: { const: 'simulated' }, connection: { maxProperties: 0 } } },
    ],
  },
).meta({ id: 'NewVideoProfile' });
export type NewProfile = z.infer<typeof newProfile>;
export const profilePatch = mergePatchOf({ name: fields.name, channels, connection: fields.connection }).meta(
  {
    id: 'VideoProfilePatch',
  },
);
export type ProfilePatch = z.infer<typeof profilePatch>;

export const profile = z
  .object({
    profile_id: id,
    vehicle_id: id,
    terminal_id: z.string(),
    name: z.string().nullable(),
    kind: profileKind,
    channels: z.array(z.object({ channel: z.int(), name: z.string() })),
    connection: z.object({
      url: z.string().optional(),
      auth: z.enum(['none', 'basic', 'digest', 'bearer']).optional(),
      username: z.string().optional(),
      has_password: z.boolean().optional(),
      utc_offset_min: utcOffset.optional(),
      stream: streamKind.optional(),
    }),
    online: z.boolean().nullable().meta({ description: 'whether it can be reached, as last known' }),
    ...stamps,
  })
  .meta({ id: 'VideoProfile' });
export type Profile = z.infer<typeof profile>;
