import { z } from 'zod';
import { stamps } from '../contract/fields.ts';
import { profile, type Profile } from '../contract/videoProfiles.ts';
import type { Measure } from '../http/quotas.ts';

/** A video profile as the store keeps it; the terminal ID stands with the vehicle. */
export const profileRecord = z.object({
  profile_id: z.string(),
  vehicle_id: z.string(),
  name: profile.shape.name,
  kind: profile.shape.kind,
  channels: profile.shape.channels,
  connection: profile.shape.connection.omit({ has_password: true }),
  /** Where the password or token lies among the secrets. Each new one gets a new name, so that one write switches. */
  secret_id: z.string().nullable(),
  ...stamps,
});
export type ProfileRecord = z.infer<typeof profileRecord>;

export const profileMeasures: readonly Measure<ProfileRecord>[] = [{ quota: 'profiles', of: () => 1 }];

/** `secrets.json`: passwords and tokens of cameras by `secret_id`. */
export const secretsDocument = z.object({ secrets: z.record(z.string(), z.string()) });
export type SecretsDocument = z.infer<typeof secretsDocument>;

/** The same with each secret replaced. */
export const replaceCameraSecrets = (
  { secrets }: SecretsDocument,
  by: (secret: string) => string,
): SecretsDocument => ({
  secrets: Object.fromEntries(Object.entries(secrets).map(([id, secret]) => [id, by(secret)])),
});

/** @param now what is known of the vehicle's terminal */
export function presentProfile(
  record: ProfileRecord,
  { has_password, ...now }: { terminal_id: string; online: boolean | null; has_password: boolean },
): Profile {
  const { secret_id: _, connection, ...shown } = record;
  return {
    ...shown,
    ...now,
    connection: record.kind === 'http' ? { ...connection, has_password } : connection,
  };
}
