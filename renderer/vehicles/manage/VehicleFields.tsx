import type { ReactNode } from 'react';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { GroupPicker } from '../../groups/GroupPicker.tsx';
import { useT } from '../../i18n/useT.ts';
import { Choice } from '../../ui/Select.tsx';
import { TextArea } from '../../ui/TextArea.tsx';
import { TextField } from '../../ui/TextField.tsx';
import type { VehicleEditing } from './useVehicleForm.ts';
import { formTypes, NO_TYPE, type AttributeLine } from './vehicleForm.ts';

/** The fields of a vehicle; `brief` has those that an operator of the map needs. */
export function VehicleFields({
  editing: { form, base, change, field },
  autoFocus = false,
  brief = false,
  clock,
}: {
  editing: VehicleEditing;
  /** The name takes the focus. */
  autoFocus?: boolean;
  brief?: boolean;
  /** What is to be said of the terminal's clock, under its field. */
  clock?: ReactNode;
}) {
  const app = useAppContext();
  const t = useT();
  const isNew = base === null;
  return (
    <>
      <div className="form-grid">
        <TextField
          label={t('vehicle.name')}
          {...field('name')}
          required
          maxLength={120}
          autoFocus={autoFocus}
        />
        <TextField label={t('vehicle.plate')} {...field('plate')} maxLength={20} />
        {(!brief || isNew) && (
          <TextField
            label={t('vehicle.terminal_id')}
            {...(brief ? { hint: t('vehicle.terminal_id_hint') } : {})}
            {...field('terminal_id')}
            required
            maxLength={32}
          />
        )}
        <Choice
          label={t('vehicle.type')}
          value={form.type}
          onChange={(type) => change({ type })}
          options={formTypes.map((id) => ({
            id,
            label: id === NO_TYPE ? t('vehicle.type.none') : t(`vehicle.type.${id}`),
          }))}
        />
        <TextField label={t('vehicle.driver')} {...field('driver')} maxLength={120} />
        <TextField label={t('vehicle.phone')} type="tel" {...field('phone')} maxLength={40} />
        {!brief && (
          <>
            <TextField label={t('vehicles.vin')} {...field('vin')} maxLength={40} />
            <ColorField {...field('color')} />
          </>
        )}
        <TextField
          label={t('vehicle.speed_limit')}
          numeric
          {...field('speed_limit_kmh')}
          maxLength={6}
          {...(brief ? {} : { hint: t('vehicles.limit_hint') })}
        />
        {!brief && (
          <TextField
            label={t('vehicles.clock_offset')}
            numeric
            {...field('clock_offset_s')}
            maxLength={7}
            hint={t('vehicles.clock_offset_hint')}
          />
        )}
        {clock}
      </div>
      {!brief && (
        <>
          <GroupPicker
            label={t('vehicles.groups')}
            {...field('group_ids')}
            {...(app.user.role === 'dealer' ? {} : { hint: t('vehicles.groups_hint') })}
          />
          <AttributeLines {...field('attributes')} />
        </>
      )}
    </>
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
  value: lines,
  onChange,
  fault,
}: {
  value: readonly AttributeLine[];
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
