import { useState } from 'react';
import { cameraPresets } from '../../../server/contract/cameraPresets.ts';
import type { Profile } from '../../../server/contract/videoProfiles.ts';
import { useT } from '../../i18n/useT.ts';
import { Choice } from '../../ui/Select.tsx';
import { TextArea } from '../../ui/TextArea.tsx';
import { TextField } from '../../ui/TextField.tsx';
import {
  CAMERA_AUTHS,
  CAMERA_KINDS,
  CAMERA_STREAMS,
  offsetText,
  type CameraFault,
  type CameraForm,
  type ChannelLine,
} from './cameraForm.ts';

export type CameraFaults = Partial<Record<CameraFault | 'username' | 'password', string>>;

export interface CameraFieldsProps {
  form: CameraForm;
  onChange: (form: CameraForm) => void;
  faults: CameraFaults;
  /** The cameras that are changed: their kind stays. Null for new ones. */
  known: Profile | null;
  /** How far the clock of the vehicle's positions is ahead of UTC, minutes. */
  vehicleOffsetMin: number;
}

/** The connection settings of a kind of camera, and its channels. */
export function CameraFields({ form, onChange, faults, known, vehicleOffsetMin }: CameraFieldsProps) {
  const t = useT();
  const set = (part: Partial<CameraForm>) => onChange({ ...form, ...part });
  return (
    <>
      <div className="form-grid">
        <Choice
          label={t('cameras.kind')}
          value={form.kind}
          options={CAMERA_KINDS.map((id) => ({ id, label: t(`cameras.kind.${id}`) }))}
          onChange={(kind) => set({ kind })}
          disabled={known !== null}
        />
        <TextField
          label={t('cameras.name')}
          value={form.name}
          onChange={(name) => set({ name })}
          maxLength={120}
        />
        <p className="form-whole quiet small">{t(`cameras.kind_hint.${form.kind}`)}</p>
        {form.kind === 'http' && <HttpFields form={form} set={set} faults={faults} known={known} />}
        {form.kind === 'jt1078' && (
          <TerminalFields form={form} set={set} faults={faults} vehicleOffsetMin={vehicleOffsetMin} />
        )}
      </div>
      <Channels
        lines={form.channels}
        onChange={(channels) => set({ channels })}
        fault={faults.channels ?? null}
      />
    </>
  );
}

/** Stands for "none of these" in a list of choices, where nothing is no id. */
const NO_PRESET = 'none';

interface KindProps {
  form: CameraForm;
  set: (part: Partial<CameraForm>) => void;
  faults: CameraFaults;
}

function HttpFields({ form, set, faults, known }: KindProps & Pick<CameraFieldsProps, 'known'>) {
  const t = useT();
  const hasLogin = form.auth === 'basic' || form.auth === 'digest';
  const hasKept = known?.connection.has_password === true;
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
          if (chosen !== undefined) set({ url: chosen.url, auth: chosen.auth });
        }}
      />
      <p className="quiet small camera-note">{preset?.note}</p>
      <div className="form-whole">
        <TextField
          label={t('cameras.address')}
          value={form.url}
          onChange={(url) => set({ url })}
          fault={faults.url ?? null}
          hint={t(form.url.includes('HOST') ? 'cameras.address_host' : 'cameras.address_hint')}
          required
          maxLength={2_000}
        />
      </div>
      <Choice
        label={t('cameras.auth')}
        value={form.auth}
        options={CAMERA_AUTHS.map((id) => ({ id, label: t(`cameras.auth.${id}`) }))}
        onChange={(auth) => set({ auth })}
      />
      {hasLogin && (
        <TextField
          label={t('cameras.user')}
          value={form.username}
          onChange={(username) => set({ username })}
          fault={faults.username ?? null}
          maxLength={200}
        />
      )}
      {form.auth !== 'none' && (
        <TextField
          label={t(form.auth === 'bearer' ? 'cameras.token' : 'cameras.password')}
          type="password"
          autoComplete="new-password"
          value={form.password}
          onChange={(password) => set({ password })}
          fault={faults.password ?? null}
          {...(hasKept ? { hint: t('cameras.password_kept') } : {})}
          maxLength={2_000}
        />
      )}
    </>
  );
}

function TerminalFields({
  form,
  set,
  faults,
  vehicleOffsetMin,
}: KindProps & Pick<CameraFieldsProps, 'vehicleOffsetMin'>) {
  const t = useT();
  return (
    <>
      <TextField
        label={t('cameras.clock')}
        value={form.clock}
        onChange={(clock) => set({ clock })}
        fault={faults.clock ?? null}
        hint={t('cameras.clock_hint', { offset: offsetText(vehicleOffsetMin) })}
        placeholder={offsetText(vehicleOffsetMin)}
        maxLength={6}
      />
      <div className="form-whole">
        <Choice
          label={t('cameras.stream')}
          value={form.stream}
          options={CAMERA_STREAMS.map((id) => ({ id, label: t(`cameras.stream.${id}`) }))}
          onChange={(stream) => set({ stream })}
        />
      </div>
    </>
  );
}

function Channels({
  lines,
  onChange,
  fault,
}: {
  lines: readonly ChannelLine[];
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
