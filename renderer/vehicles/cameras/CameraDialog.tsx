import { useState, type SyntheticEvent } from 'react';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import { videoRoutes } from '../../../server/contract/video.ts';
import { type Profile, type ProfilePatch } from '../../../server/contract/videoProfiles.ts';
import { isProblem } from '../../api/errors.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useT } from '../../i18n/useT.ts';
import { Button } from '../../ui/Button.tsx';
import { faultsOf, sentenceOf } from '../../ui/formFaults.ts';
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
  const [faults, setFaults] = useState<CameraFaults>({});
  const [sentence, setSentence] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const words: Record<CameraFault, string> = {
    channels: t('cameras.channels_wrong'),
    url: t('cameras.url_missing'),
    clock: t('cameras.clock_wrong'),
  };
  const showFaults = (wrong: readonly CameraFault[]) =>
    setFaults(Object.fromEntries(wrong.map((it) => [it, words[it]])));

  const save = async (send: () => Promise<Profile>) => {
    setBusy(true);
    setFaults({});
    setSentence(null);
    try {
      video.profiles.put(await send());
      onClose();
    } catch (error) {
      setBusy(false);
      if (isProblem(error, 'version_conflict', 'not_found', 'already_exists')) onConflict();
      const found = fieldFaults(faultsOf(error));
      setFaults(found);
      if (Object.keys(found).length > 0) return;
      setSentence(
        sentenceOf(error, t, {
          already_exists: t('cameras.exists'),
          version_conflict: t('cameras.conflict'),
          not_found: t('cameras.gone'),
        }),
      );
    }
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
      <form
        className="form-column"
        onSubmit={(event: SyntheticEvent) => {
          event.preventDefault();
          // The dialog is opened from within the vehicle's own form.
          event.stopPropagation();
          submit();
        }}
      >
        <CameraFields
          form={form}
          onChange={setForm}
          faults={faults}
          known={profile}
          vehicleOffsetMin={vehicleOffsetMin(vehicle)}
        />
        <ModalFooter sentence={sentence} onCancel={onClose}>
          <Button kind="primary" submits disabled={busy}>
            {t('ui.save')}
          </Button>
        </ModalFooter>
      </form>
    </Modal>
  );
}

/** The server's faults at the fields of the form: `connection.url` is shown at the address. */
function fieldFaults(faults: Record<string, string>): CameraFaults {
  const found: CameraFaults = {};
  for (const [path, message] of Object.entries(faults)) {
    const parts = path.split(/[./]/);
    const field = parts[0] === 'connection' ? parts[1] : parts[0];
    if (field === 'url' || field === 'username' || field === 'password' || field === 'channels') {
      found[field] = message;
    } else if (field === 'utc_offset_min') found.clock = message;
  }
  return found;
}
