import type { ReactNode } from 'react';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { GroupPicker } from '../../groups/GroupPicker.tsx';
import { useT } from '../../i18n/useT.ts';
import { Choice } from '../../ui/Select.tsx';
import type { FieldErrors } from '../../ui/formFaults.ts';
import { TextArea } from '../../ui/TextArea.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { formTypes, NO_TYPE, type AttributeLine, type VehicleForm } from './vehicleForm.ts';

export interface VehicleFieldsProps {
  form: VehicleForm;
  onChange: (form: VehicleForm) => void;
  faults: FieldErrors;
  autoFocus?: 'terminal_id' | 'name';
  /** What is to be said of the terminal's clock, under its field. */
  clock?: ReactNode;
}

/** All that is kept of a vehicle, as fields. */
export function VehicleFields({ form, onChange, faults, autoFocus, clock }: VehicleFieldsProps) {
  const t = useT();
  const text = (
    field:
      'terminal_id' | 'name' | 'plate' | 'driver' | 'phone' | 'vin' | 'speed_limit_kmh' | 'clock_offset_s',
  ) => ({
    value: form[field],
    onChange: (value: string) => onChange({ ...form, [field]: value }),
    fault: faults[field] ?? null,
  });
  return (
    <>
      <div className="form-grid">
        <TextField
          label={t('vehicle.name')}
          {...text('name')}
          required
          maxLength={120}
          autoFocus={autoFocus === 'name'}
        />
        <TextField label={t('vehicle.plate')} {...text('plate')} maxLength={20} />
        <TextField
          label={t('vehicle.terminal_id')}
          {...text('terminal_id')}
          required
          maxLength={32}
          autoFocus={autoFocus === 'terminal_id'}
        />
        <Choice
          label={t('vehicle.type')}
          value={form.type}
          onChange={(type) => onChange({ ...form, type })}
          options={formTypes.map((id) => ({
            id,
            label: id === NO_TYPE ? t('vehicle.type.none') : t(`vehicle.type.${id}`),
          }))}
        />
        <TextField label={t('vehicle.driver')} {...text('driver')} maxLength={120} />
        <TextField label={t('vehicle.phone')} type="tel" {...text('phone')} maxLength={40} />
        <TextField label={t('vehicles.vin')} {...text('vin')} maxLength={40} />
        <ColorField
          value={form.color}
          onChange={(color) => onChange({ ...form, color })}
          fault={faults['color'] ?? null}
        />
        <TextField
          label={t('vehicle.speed_limit')}
          numeric
          {...text('speed_limit_kmh')}
          maxLength={6}
          hint={t('vehicles.limit_hint')}
        />
        <TextField
          label={t('vehicles.clock_offset')}
          numeric
          {...text('clock_offset_s')}
          maxLength={7}
          hint={t('vehicles.clock_offset_hint')}
        />
        {clock}
      </div>
      <Groups form={form} onChange={onChange} fault={faults['group_ids'] ?? null} />
      <AttributeLines
        lines={form.attributes}
        onChange={(attributes) => onChange({ ...form, attributes })}
        fault={faults['attributes'] ?? null}
      />
    </>
  );
}

function Groups({
  form,
  onChange,
  fault,
}: {
  form: VehicleForm;
  onChange: (form: VehicleForm) => void;
  fault: string | null;
}) {
  const app = useAppContext();
  const t = useT();
  return (
    <GroupPicker
      label={t('vehicles.groups')}
      value={form.group_ids}
      onChange={(group_ids) => onChange({ ...form, group_ids })}
      fault={fault}
      {...(app.user.role === 'dealer' ? {} : { hint: t('vehicles.groups_hint') })}
    />
  );
}

function ColorField({
  value,
  onChange,
  fault,
}: {
  value: string;
  onChange: (value: string) => void;
  fault: string | null;
}) {
  const t = useT();
  const isColor = /^#[0-9a-f]{6}$/i.test(value);
  return (
    <div className="color-field">
      <TextField
        label={t('vehicles.color')}
        value={value}
        onChange={onChange}
        fault={fault}
        placeholder={t('vehicles.color_none')}
        maxLength={7}
      />
      <input
        type="color"
        className={isColor ? 'color-field__swatch' : 'color-field__swatch color-field__swatch--none'}
        aria-label={t('vehicles.color_pick')}
        value={isColor ? value : '#808080'}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

function AttributeLines({
  lines,
  onChange,
  fault,
}: {
  lines: readonly AttributeLine[];
  onChange: (lines: AttributeLine[]) => void;
  fault: string | null;
}) {
  const t = useT();
  return (
    <TextArea
      label={t('vehicles.attributes')}
      lines={lines}
      onChange={onChange}
      fault={fault}
      lineClass="attribute-line"
      fields={(line, number, set) => (
        <>
          <TextField
            size="small"
            hiddenLabel
            label={t('vehicles.attribute_name', { number })}
            placeholder={t('vehicles.attribute_name_short')}
            value={line.name}
            onChange={(name) => set({ name })}
            maxLength={64}
          />
          <TextField
            size="small"
            hiddenLabel
            label={t('vehicles.attribute_value', { number })}
            placeholder={t('vehicles.attribute_value_short')}
            value={line.value}
            onChange={(value) => set({ value })}
            maxLength={2_000}
          />
        </>
      )}
      removeLabel={(number) => t('vehicles.attribute_remove', { number })}
      addLabel={t('vehicles.attribute_add')}
      newLine={() => ({ name: '', value: '' })}
    />
  );
}
