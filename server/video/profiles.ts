import { causeOf } from '../contract/causeTexts.ts';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  bearerToken,
  httpConnection,
  jt1078Connection,
  newProfile,
  noControls,
  type NewProfile,
  type Profile,
  type ProfilePatch,
} from '../contract/videoProfiles.ts';
import { ApiError, checkVersion, invalid, notFound } from '../http/apiError.ts';
import { applyMergePatch } from '../http/mergePatch.ts';
import { portOf, urlError } from '../http/outgoingCall.ts';
import type { Viewer } from '../http/viewer.ts';
import type { Collection } from '../store/entity.ts';
import type { Document } from '../store/documents/Document.ts';
import { readable } from '../store/sealing.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';
import type { IsOwnAddress } from './ownAddress.ts';
import { presentProfile, type ProfileRecord, type SecretsDocument } from './profileRecord.ts';
import { fillCameraUrl } from './terminals/cameraUrl.ts';

export interface ProfilesDeps {
  collection: Collection<ProfileRecord>;
  secrets: Document<SecretsDocument>;
  vehicles: Pick<Vehicles, 'get' | 'find' | 'byTerminal' | 'sees'>;
  isOwnAddress: IsOwnAddress;
  /** Whether its terminal can be reached, as last known; null: it is not known. */
  isOnline: (profile: ProfileRecord) => boolean | null;
  /** Called when a profile was changed or removed, and waited for. */
  afterChange: (profileId: string) => Promise<void>;
}

const patched = z.strictObject({
  name: newProfile.shape.name,
  channels: newProfile.shape.channels,
  connection: newProfile.shape.connection,
});

/** A connection as it is stored, and the secret that came with it. */
interface Split {
  connection: ProfileRecord['connection'];
  secret: string | undefined;
}

export type Profiles = ReturnType<typeof createProfiles>;

export function createProfiles({
  collection,
  secrets,
  vehicles,
  isOwnAddress,
  isOnline,
  afterChange,
}: ProfilesDeps) {
  function ofVehicle(vehicleId: string): ProfileRecord | undefined {
    return collection.all().find((it) => it.vehicle_id === vehicleId);
  }

  function checkFree(vehicleId: string): void {
    if (ofVehicle(vehicleId) !== undefined) {
      throw new ApiError('already_exists', causeOf('camera.profile_exists'));
    }
  }

  function visibleOf(profile: ProfileRecord | undefined, viewer: Viewer): ProfileRecord {
    if (profile === undefined || !vehicles.sees(viewer, profile.vehicle_id)) throw notFound('video profile');
    return profile;
  }

  /** Answers the name under which the secret lies. */
  async function keepSecret(secret: string): Promise<string> {
    const secret_id = randomUUID();
    await secrets.update((draft) => {
      draft.secrets[secret_id] = secret;
    });
    return secret_id;
  }

  function secretOf({ secret_id }: ProfileRecord): string | null {
    return secret_id === null ? null : readable(secrets.data.secrets[secret_id] ?? null);
  }

  async function dropSecrets(secretIds: readonly (string | null)[]): Promise<void> {
    const gone = secretIds.filter((id) => id !== null);
    if (gone.length === 0) return;
    await secrets.update((draft) => {
      draft.secrets = Object.fromEntries(Object.entries(draft.secrets).filter(([id]) => !gone.includes(id)));
    });
  }

  function split(kind: ProfileRecord['kind'], wanted: object): Split {
    if (kind === 'simulated') {
      if (Object.keys(wanted).length > 0) throw invalid('connection', 'is empty for a simulated camera');
      return { connection: {}, secret: undefined };
    }
    if (kind === 'jt1078') {
      const parsed = jt1078Connection.safeParse(wanted);
      if (!parsed.success) throw invalid('connection', 'takes utc_offset_min and stream alone');
      return { connection: parsed.data, secret: undefined };
    }
    const parsed = httpConnection.safeParse(wanted);
    if (!parsed.success) throw invalid('connection.url', 'is needed for an HTTP camera', 'missing');
    const { password, ...rest } = parsed.data;
    checkAddress(rest.url);
    const hasPassword = password !== undefined && password !== '';
    return {
      connection: { ...rest, auth: rest.auth ?? (hasPassword ? 'basic' : 'none') },
      secret: hasPassword ? password : undefined,
    };
  }

  function checkAddress(template: string): void {
    let url: URL;
    try {
      url = fillCameraUrl(template, { channel: { channel: 1, name: '' }, from_ms: 0, to_ms: 0 });
    } catch {
      throw invalid('connection.url', 'is not an address', 'format');
    }
    if (isOwnAddress(url.hostname, portOf(url))) {
      throw invalid('connection.url', 'is an address of this host itself', 'own_address');
    }
    const fault = urlError(template, url);
    if (fault !== null) throw invalid('connection.url', fault);
  }

  /** Refuses what a header cannot hold. An empty user name or password is what some cameras have. */
  function checkAuthorization({ auth, username }: ProfileRecord['connection'], secret: string | null): void {
    if (auth === 'bearer' && !bearerToken.test(secret ?? '')) {
      throw invalid('connection.password', 'is needed as the token', 'missing');
    }
    if (!noControls.test(username ?? ''))
      throw invalid('connection.username', 'holds a control character', 'format');
  }

  /**
   * A password that is not sent again stays, but not for another host: whoever may change the address must not learn
   * the password by it.
   */
  function keptSecret(old: ProfileRecord, next: ProfileRecord['connection']): string | null {
    if (next.auth === 'none' || old.secret_id === null) return null;
    const origin = ({ url = '' }: ProfileRecord['connection']) =>
      /^https?:\/\/[^/?#]+/i.exec(url)?.[0].toLowerCase();
    if (origin(old.connection) === origin(next)) return old.secret_id;
    throw invalid('connection.password', 'must be given again because the address changed', 'again');
  }

  return {
    get: (profileId: string): ProfileRecord | undefined => collection.get(profileId),
    /** Throws 404 for what is not there or not the viewer's. */
    find: (profileId: string, viewer: Viewer): ProfileRecord => visibleOf(collection.get(profileId), viewer),
    /** The profile of the vehicle in service with this terminal; throws 404. */
    findByTerminal(terminalId: string, viewer: Viewer): ProfileRecord {
      const vehicle = vehicles.byTerminal(terminalId);
      return visibleOf(vehicle === undefined ? undefined : ofVehicle(vehicle.vehicle_id), viewer);
    },
    ofVehicle,
    /** Of vehicles in service. */
    visible: (viewer: Viewer): ProfileRecord[] =>
      collection
        .all()
        .filter(
          ({ vehicle_id }) =>
            vehicles.get(vehicle_id)?.archived_at === null && vehicles.sees(viewer, vehicle_id),
        ),

    /** Throws 404 for the vehicle, 409 when it has a profile, 400 for a connection that its kind cannot have. */
    async add(wanted: NewProfile, viewer: Viewer): Promise<ProfileRecord> {
      const ref = wanted.vehicle_id ?? wanted.terminal_id;
      if (ref === undefined) throw invalid('terminal_id', 'is needed, or vehicle_id', 'missing');
      const { vehicle_id, terminal_id } = vehicles.find(ref, viewer);
      if (
        wanted.terminal_id !== undefined &&
        vehicles.byTerminal(wanted.terminal_id)?.vehicle_id !== vehicle_id
      ) {
        throw invalid('terminal_id', `is not the terminal of this vehicle (${terminal_id})`);
      }
      checkFree(vehicle_id);
      const { connection, secret } = split(wanted.kind, wanted.connection);
      checkAuthorization(connection, secret ?? null);
      const secret_id = secret === undefined || connection.auth === 'none' ? null : await keepSecret(secret);
      try {
        return await collection.act(() => {
          // Somebody else's may have come, and the vehicle have gone, while the secret was written.
          vehicles.find(vehicle_id, viewer);
          checkFree(vehicle_id);
          const { kind, name, channels } = wanted;
          const [profile] = collection.staged.add([
            { profile_id: randomUUID(), vehicle_id, name, kind, channels, connection, secret_id },
          ]);
          if (profile === undefined) throw new Error('the video profile was not added');
          return profile;
        });
      } catch (error) {
        await dropSecrets([secret_id]);
        throw error;
      }
    },

    /** Throws 400, 404, 412. */
    async patch(
      profileId: string,
      patch: ProfilePatch,
      viewer: Viewer,
      ifMatch: number | null,
    ): Promise<ProfileRecord> {
      const old = visibleOf(collection.get(profileId), viewer);
      checkVersion(ifMatch, old.version);
      const wanted = applyMergePatch(patched, old, patch);
      const next = split(old.kind, merged(old.connection, patch.connection));
      const kept = next.secret === undefined ? keptSecret(old, next.connection) : null;
      checkAuthorization(
        next.connection,
        next.secret ?? (kept === null ? null : (secrets.data.secrets[kept] ?? null)),
      );
      const secret_id =
        next.secret === undefined || next.connection.auth === 'none' ? kept : await keepSecret(next.secret);
      try {
        const changed = await collection.change(profileId, (now) => {
          // Decided from the profile as it was: one that changed meanwhile is another.
          checkVersion(old.version, now.version);
          return { ...now, ...wanted, connection: next.connection, secret_id };
        });
        if (changed === undefined) throw notFound('video profile');
        if (old.secret_id !== secret_id) await dropSecrets([old.secret_id]);
        await afterChange(profileId);
        return changed;
      } catch (error) {
        if (old.secret_id !== secret_id) await dropSecrets([secret_id]);
        throw error;
      }
    },

    /** Throws 404, 412. */
    async remove(profileId: string, ifMatch: number | null): Promise<void> {
      const removed = await collection.remove(profileId, (old) => checkVersion(ifMatch, old.version));
      if (removed === undefined) throw notFound('video profile');
      await dropSecrets([removed.secret_id]);
      await afterChange(profileId);
    },

    /** The password or token; null without one. */
    secretOf,

    /** Deletes secrets that no profile names: a host that was killed between two writes leaves them. */
    async sweepSecrets(): Promise<void> {
      const named = new Set(collection.all().map((it) => it.secret_id));
      await dropSecrets(Object.keys(secrets.data.secrets).filter((id) => !named.has(id)));
    },

    present(profile: ProfileRecord): Profile {
      const terminal_id = vehicles.get(profile.vehicle_id)?.terminal_id ?? '';
      return presentProfile(profile, {
        terminal_id,
        online: isOnline(profile),
        has_password: secretOf(profile) !== null,
      });
    },

    onChange: collection.onChange,
  };
}

/** A profile stays of its kind, so its connection is merged field by field; null puts it back to nothing. */
function merged(old: ProfileRecord['connection'], patch: ProfilePatch['connection']): object {
  if (patch === null) return {};
  const next = { ...old, ...patch };
  const { auth, ...rest } = next;
  const isNewPassword = 'password' in next && !(patch !== undefined && 'auth' in patch);
  return isNewPassword && auth === 'none' ? rest : next;
}
