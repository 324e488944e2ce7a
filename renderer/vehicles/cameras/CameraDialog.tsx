import { useState } from 'react';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import { videoRoutes } from '../../../server/contract/video.ts';
import { type Profile, type ProfilePatch } from '../../../server/contract/videoProfiles.ts';
import { isProblem } from '../../api/errors.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useT } from '../../i18n/useT.ts';
import { useAction } from '../../resources/useAction.ts';
import { Button } from '../../ui/Button.tsx';
import { Form } from '../../ui/Form.tsx';
import type { FieldErrors } from '../../ui/formFaults.ts';
import { Modal } from '../../ui/Modal.tsx';
import { ModalFooter } from '../../ui/ModalFooter.tsx';
import { useVideo } from '../../video/useVideo.ts';
import { CameraFields, type CameraFaults } from './CameraFields.tsx';
import {
  cameraFormOf,
  camerasPatchesOf,
  emptyCameraForm,
  newCamerasOf,
  vehicleOffsetMin,
  type CameraFault,
  type CameraForm,
} from './cameraForm.ts';

/** Sets up the cameras of a vehicle, or changes them. */
export function CameraDialog({
  vehicle,
  profile: live,
  onClose,
  onConflict,
}: {
  vehicle: Vehicle;
  /** Null: there are none yet. */
  profile: Profile | null;
  onClose: () => void;
  /** Somebody else has changed them; to be read anew. */
  onConflict: () => void;
}) {
  const { api } = useAppContext();
  const video = useVideo();
  const t = useT();
  // The version of what is shown: a newer one would overwrite what was not seen.
  const [profile] = useState(live);
  const [form, setForm] = useState<CameraForm>(() =>
    profile === null ? emptyCameraForm : cameraFormOf(profile),
  );
  const { busy, faults, sentence, run, show } = useAction();
  const words: Record<CameraFault, string> = {
    channels: t('cameras.channels_wrong'),
    url: t('cameras.url_missing'),
    clock: t('cameras.clock_wrong'),
  };
  const showFaults = (wrong: readonly CameraFault[]) =>
    show({ faults: Object.fromEntries(wrong.map((it) => [it, words[it]])) });

  const save = async (send: () => Promise<Profile>) => {
    const isSaved = await run(async () => video.profiles.put(await send()), {
      fields: Object.keys(FIELD_OF),
      texts: {
        already_exists: t('cameras.exists'),
        version_conflict: t('cameras.conflict'),
        not_found: t('cameras.gone'),
      },
      onFailure: (error) => {
        if (isProblem(error, 'version_conflict', 'not_found', 'already_exists')) onConflict();
      },
    });
    if (isSaved) onClose();
  };
  const submit = () => {
    if (profile === null) {
      const read = newCamerasOf(form, vehicle.vehicle_id);
      if ('faults' in read) showFaults(read.faults);
      else void save(() => api.request(videoRoutes.createProfile, { body: read.profile }));
      return;
    }
    const read = camerasPatchesOf(form, profile);
    if ('faults' in read) showFaults(read.faults);
    else {
      const { profile_id } = profile;
      const send = (body: ProfilePatch, ifMatch: number) =>
        api.request(videoRoutes.patchProfile, { params: { profile_id }, body, ifMatch });
      void save(async () => {
        const [first, ...others] = read.patches;
        let changed = await send(first, profile.version);
        for (const patch of others) changed = await send(patch, changed.version);
        return changed;
      });
    }
  };

  return (
    <Modal title={t('cameras.title_of', { name: vehicle.name })} onClose={onClose} width={520}>
      <Form faults={faults} onSubmit={submit}>
        <CameraFields
          form={form}
          onChange={setForm}
          faults={fieldFaults(faults)}
          known={profile}
          vehicleOffsetMin={vehicleOffsetMin(vehicle)}
        />
        <ModalFooter sentence={sentence} onCancel={onClose}>
          <Button kind="primary" submits disabled={busy}>
            {t('ui.save')}
          </Button>
        </ModalFooter>
      </Form>
    </Modal>
  );
}

/** Where the form shows what the server says of a field. */
const FIELD_OF: Record<string, keyof CameraFaults> = {
  channels: 'channels',
  'connection.url': 'url',
  'connection.username': 'username',
  'connection.password': 'password',
  'connection.utc_offset_min': 'clock',
};

const fieldFaults = (faults: FieldErrors): CameraFaults =>
  Object.fromEntries(Object.entries(faults).map(([path, message]) => [FIELD_OF[path] ?? path, message]));
