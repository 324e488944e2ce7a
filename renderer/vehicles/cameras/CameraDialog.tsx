import { useCallback, useState } from 'react';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import { videoRoutes } from '../../../server/contract/video.ts';
import { newProfile, profilePatch, type Profile } from '../../../server/contract/videoProfiles.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useT } from '../../i18n/useT.ts';
import { useResourceForm, type ResourceForm } from '../../resources/useResourceForm.ts';
import { Button } from '../../ui/Button.tsx';
import { Form } from '../../ui/Form.tsx';
import { Modal, ModalFooter } from '../../ui/Modal.tsx';
import { useVideo } from '../../video/useVideo.ts';
import {
  CAMERA_AUTHS,
  CAMERA_KINDS,
  CAMERA_STREAMS,
  type CameraFault,
  type CameraForm,
  cameraFormOf,
  emptyCameraForm,
  camerasPatchesOf,
  type ChannelLine,
  newCamerasOf,
  formatOffset,
  vehicleOffsetMin,
} from './cameraForm.ts';
import { cameraPresets } from '../../../server/contract/cameraPresets.ts';
import { Choice } from '../../ui/Select.tsx';
import { TextArea } from '../../ui/TextArea.tsx';
import { TextField } from '../../ui/TextField.tsx';

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
  const words: Record<CameraFault, string> = {
    channels: t('cameras.channels_wrong'),
    url: t('cameras.url_missing'),
    clock: t('cameras.clock_wrong'),
  };
  const wrong = (faults: readonly CameraFault[]) => ({
    faults: Object.fromEntries(faults.map((it) => [PATHS[it], words[it]])),
  });
  const formOf = useCallback(
    (shown: Profile | null) =>
      shown === null
        ? emptyCameraForm(t('cameras.name_front'), t('cameras.name_cabin'))
        : cameraFormOf(shown),
    [t],
  );
  const keep = (saved: Profile) => {
    video.profiles.put(saved);
    return saved;
  };
  const editing = useResourceForm<Profile, CameraForm>({
    item: profile,
    formOf,
    requestOf: (form, base) => {
      if (base === null) {
        const read = newCamerasOf(form, vehicle.vehicle_id);
        if ('faults' in read) return wrong(read.faults);
        const body = read.profile;
        const send = async () => keep(await api.request(videoRoutes.createProfile, { body }));
        return { schema: newProfile, body, send };
      }
      const read = camerasPatchesOf(form, base);
      if ('faults' in read) return wrong(read.faults);
      const { patches } = read;
      const params = { profile_id: base.profile_id };
      const send = async () => {
        let saved = base;
        for (const body of patches)
          saved = await api.request(videoRoutes.patchProfile, { params, body, ifMatch: saved.version });
        return keep(saved);
      };
      return { schema: profilePatch.array(), body: patches, send };
    },
    fields: Object.values(PATHS),
    texts: {
      already_exists: t('cameras.exists'),
      version_conflict: t('cameras.conflict'),
      not_found: t('cameras.gone'),
    },
    conflicts: ['version_conflict', 'not_found', 'already_exists'],
    onConflict,
  });

  return (
    <Modal
      title={t('cameras.title_of', { name: vehicle.name })}
      onClose={onClose}
      width={520}
      unsaved={editing.isTyped}
    >
      <Form
        faults={editing.faults}
        onSubmit={() => void editing.save().then((saved) => saved !== null && onClose())}
      >
        <CameraFields editing={editing} vehicle={vehicle} />
        <ModalFooter sentence={editing.sentence} onCancel={onClose}>
          <Button kind="primary" submits disabled={editing.busy}>
            {t('ui.save')}
          </Button>
        </ModalFooter>
      </Form>
    </Modal>
  );
}

/** Where the contract has what the fields of the form hold. */
const PATHS = {
  channels: 'channels',
  url: 'connection.url',
  username: 'connection.username',
  password: 'connection.password',
  clock: 'connection.utc_offset_min',
} as const;

interface PartProps {
  editing: ResourceForm<Profile, CameraForm>;
}

/** The connection settings of a kind of camera, and its channels. */
function CameraFields({ editing, vehicle }: PartProps & { vehicle: Vehicle }) {
  const t = useT();
  const { form, base, field } = editing;
  return (
    <>
      <div className="form-grid">
        <Choice
          label={t('cameras.kind')}
          {...field('kind')}
          options={CAMERA_KINDS.map((id) => ({ id, label: t(`cameras.kind.${id}`) }))}
          // Of cameras that are changed their kind stays.
          disabled={base !== null}
        />
        <TextField label={t('cameras.name')} {...field('name')} maxLength={120} />
        <p className="form-whole quiet small">{t(`cameras.kind_hint.${form.kind}`)}</p>
        {form.kind === 'http' && <HttpFields editing={editing} />}
        {form.kind === 'jt1078' && <TerminalFields editing={editing} vehicle={vehicle} />}
      </div>
      <Channels {...field('channels')} />
    </>
  );
}

/** Stands for "none of these" in a list of choices, where nothing is no id. */
const NO_PRESET = 'none';

function HttpFields({ editing: { form, base, change, field } }: PartProps) {
  const t = useT();
  const hasLogin = form.auth === 'basic' || form.auth === 'digest';
  const hasKept = base?.connection.has_password === true;
  const [presetId, setPresetId] = useState<string>(NO_PRESET);
  const preset = cameraPresets.find((it) => it.id === presetId);
  return (
    <>
      <Choice
        label={t('cameras.preset')}
        value={presetId}
        options={[
          { id: NO_PRESET, label: t('cameras.preset_none') },
          ...cameraPresets.map((it) => ({ id: it.id, label: it.name })),
        ]}
        onChange={(id) => {
          setPresetId(id);
          const chosen = cameraPresets.find((it) => it.id === id);
          if (chosen !== undefined) change({ url: chosen.url, auth: chosen.auth });
        }}
      />
      <p className="quiet small camera-note">{preset?.note}</p>
      <div className="form-whole">
        <TextField
          label={t('cameras.address')}
          {...field('url', PATHS.url)}
          hint={t(form.url.includes('HOST') ? 'cameras.address_host' : 'cameras.address_hint')}
          required
          maxLength={2_000}
        />
      </div>
      <Choice
        label={t('cameras.auth')}
        {...field('auth')}
        options={CAMERA_AUTHS.map((id) => ({ id, label: t(`cameras.auth.${id}`) }))}
      />
      {hasLogin && (
        <TextField label={t('cameras.user')} {...field('username', PATHS.username)} maxLength={200} />
      )}
      {form.auth !== 'none' && (
        <TextField
          label={t(form.auth === 'bearer' ? 'cameras.token' : 'cameras.password')}
          type="password"
          autoComplete="new-password"
          {...field('password', PATHS.password)}
          {...(hasKept ? { hint: t('cameras.password_kept') } : {})}
          maxLength={2_000}
        />
      )}
    </>
  );
}

function TerminalFields({ editing: { field }, vehicle }: PartProps & { vehicle: Vehicle }) {
  const t = useT();
  const offset = formatOffset(vehicleOffsetMin(vehicle));
  return (
    <>
      <TextField
        label={t('cameras.clock')}
        {...field('clock', PATHS.clock)}
        hint={t('cameras.clock_hint', { offset })}
        placeholder={offset}
        maxLength={6}
      />
      <div className="form-whole">
        <Choice
          label={t('cameras.stream')}
          {...field('stream')}
          options={CAMERA_STREAMS.map((id) => ({ id, label: t(`cameras.stream.${id}`) }))}
        />
      </div>
    </>
  );
}

function Channels({
  value: lines,
  onChange,
  fault,
}: {
  value: readonly ChannelLine[];
  onChange: (lines: ChannelLine[]) => void;
  fault: string | null;
}) {
  const t = useT();
  const next = Math.max(0, ...lines.map((it) => Number(it.number) || 0)) + 1;
  return (
    <TextArea
      label={t('cameras.channels')}
      lines={lines}
      onChange={onChange}
      fault={fault}
      lineClass="camera-line"
      fields={(line, number, set) => (
        <>
          <TextField
            size="small"
            hiddenLabel
            numeric
            label={t('cameras.channel_number', { number })}
            placeholder={t('cameras.channel_number_short')}
            value={line.number}
            onChange={(typed) => set({ number: typed })}
            maxLength={3}
          />
          <TextField
            size="small"
            hiddenLabel
            label={t('cameras.channel_name', { number })}
            placeholder={t('cameras.channel_name_short')}
            value={line.name}
            onChange={(name) => set({ name })}
            maxLength={120}
          />
        </>
      )}
      removeLabel={(number) => t('cameras.channel_remove', { number })}
      addLabel={t('cameras.channel_add')}
      newLine={() => ({ number: String(next), name: '' })}
      min={1}
      max={32}
    />
  );
}
