import { useCallback, useState } from 'react';
import { useStore } from 'zustand';
import { driverPatch, newDriver, type Driver } from '../../server/contract/drivers.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime, useLostSince } from '../appContext/useMoment.ts';
import { GroupPicker } from '../groups/GroupPicker.tsx';
import { sortedGroups } from '../groups/groupOrder.ts';
import { useT } from '../i18n/useT.ts';
import { ActionDialog } from '../resources/ActionDialog.tsx';
import { AddPanel } from '../resources/AddPanel.tsx';
import { ConflictNotice } from '../resources/ConflictNotice.tsx';
import { MissingPanel, SidePanel } from '../resources/SidePanel.tsx';
import { changesOf } from '../resources/rebaseForm.ts';
import { useResourceForm, type ResourceForm } from '../resources/useResourceForm.ts';
import { Button } from '../ui/Button.tsx';
import { Facts } from '../ui/Facts.tsx';
import { Failure, Form } from '../ui/Form.tsx';
import { TextArea } from '../ui/TextArea.tsx';
import { TextField } from '../ui/TextField.tsx';
import { vehicleRights } from '../vehicles/manage/vehicleAdmin.ts';
import { AssignmentList } from './AssignmentList.tsx';
import { PhoneLink } from './DriverName.tsx';
import { DriveList } from './DriveList.tsx';
import { addDriver, changeDriver, readDriver, removeDriver } from './driverActions.ts';
import {
  DRIVER_FIELDS,
  driverDifferences,
  driverOfForm,
  emptyDriver,
  formOfDriver,
  type CardLine,
  type DriverForm,
} from './driverForm.ts';
import './drivers.css';

/** The driver who is selected in the table: the record, the assignments, and who drove when. */
export function DriverPanel({ driverId, onClose }: { driverId: string; onClose: () => void }) {
  const { drivers } = useAppContext();
  const t = useT();
  const driver = useStore(drivers.store, (state) => state.byId.get(driverId));
  const load = useStore(drivers.store, (state) => state.load);
  if (driver !== undefined) return <KnownDriver key={driverId} driver={driver} onClose={onClose} />;
  return (
    <MissingPanel label={t('vehicle.driver')} load={load} title={t('drivers.gone')} onClose={onClose}>
      {t('drivers.gone_how')}
    </MissingPanel>
  );
}

function KnownDriver({ driver, onClose }: { driver: Driver; onClose: () => void }) {
  const app = useAppContext();
  const t = useT();
  const { mayWrite } = vehicleRights(app);
  const { timeZone } = useDepotTime();
  const editing = useDriverForm(driver);
  const { form, base, isBehind, busy } = editing;
  const theirs = formOfDriver(driver, timeZone);
  return (
    <SidePanel
      label={t('drivers.panel', { name: driver.name })}
      title={driver.name}
      actions={driver.phone !== null && <PhoneLink phone={driver.phone} />}
      stale={t('drivers.stale_side')}
      onClose={onClose}
    >
      {isBehind && base !== null && (
        <ConflictNotice
          what={t('drivers.changed')}
          changedAt={driver.updated_at}
          differences={driverDifferences(form, formOfDriver(base, timeZone), theirs).map((field) => ({
            label: t(DRIVER_FIELDS[field]),
            theirs: textOf(theirs, field),
            yours: textOf(form, field),
          }))}
          busy={busy}
          onTake={editing.reset}
          onOverwrite={() => void editing.save(true)}
        />
      )}
      <div className="manage__side-body" tabIndex={0} role="group" aria-label={driver.name}>
        {mayWrite ? (
          <DriverFormSection editing={editing} />
        ) : (
          <div className="manage__section">
            <DriverFacts driver={driver} />
          </div>
        )}
        <div className="manage__section">
          <AssignmentList driverId={driver.driver_id} mayWrite={mayWrite} />
        </div>
        <div className="manage__section">
          <DriveList of={{ driverId: driver.driver_id }} />
        </div>
        {mayWrite && (
          <div className="manage__section">
            <DriverRemoval driver={driver} />
          </div>
        )}
      </div>
    </SidePanel>
  );
}

function textOf(form: DriverForm, field: keyof DriverForm): string {
  if (field === 'cards') return form.cards.map((it) => it.number).join(', ') || '–';
  if (field === 'group_ids') return String(form.group_ids.length);
  return form[field] || '–';
}

type DriverEditing = ResourceForm<Driver, DriverForm>;

/** @param start what a new one begins with; must keep its identity */
function useDriverForm(driver: Driver | null, start: DriverForm = emptyDriver): DriverEditing {
  const app = useAppContext();
  const t = useT();
  const { timeZone } = useDepotTime();
  const formOf = useCallback(
    (item: Driver | null) => (item === null ? start : formOfDriver(item, timeZone)),
    [start, timeZone],
  );
  return useResourceForm({
    item: driver,
    formOf,
    requestOf: (form, base: Driver | null) => {
      const body = driverOfForm(form, timeZone);
      if (body === null) return { faults: { cards: t('drivers.no_moment') } };
      if (base === null) return { schema: newDriver, body, send: () => addDriver(app, body) };
      const patch = changesOf(body, base);
      if (Object.keys(patch).length === 0) return null;
      return { schema: driverPatch, body: patch, send: () => changeDriver(app, base, patch) };
    },
    fields: Object.keys(DRIVER_FIELDS),
    texts: { version_conflict: `${t('drivers.changed')}.` },
    onConflict: (base) => base && readDriver(app, base),
  });
}

function DriverFormSection({ editing }: { editing: DriverEditing }) {
  const t = useT();
  const lost = useLostSince() !== null;
  const { form, isDirty, isBehind, busy, sentence } = editing;
  const maySave = isDirty && !isBehind && !busy && !lost && form.name.trim() !== '';
  return (
    <Form
      className="manage__section"
      faults={editing.faults}
      hasSaveKey
      onSubmit={maySave ? () => editing.save() : null}
    >
      <DriverFields editing={editing} />
      <Failure>{isBehind ? null : sentence}</Failure>
      {(isDirty || busy) && (
        <div className="manage__buttons">
          <Button kind="primary" submits keycap="Ctrl S" disabled={!maySave}>
            {t('ui.save')}
          </Button>
          <Button disabled={busy} onPress={editing.reset}>
            {t('vehicles.undo')}
          </Button>
        </div>
      )}
    </Form>
  );
}

function DriverFields({ editing, autoFocus = false }: { editing: DriverEditing; autoFocus?: boolean }) {
  const app = useAppContext();
  const t = useT();
  const { field, faults } = editing;
  // A fault of one card is shown under all of them.
  const cardFault = Object.entries(faults).find(([path]) => path.startsWith('cards'))?.[1] ?? null;
  return (
    <>
      <div className="form-grid">
        <TextField
          label={t('vehicle.name')}
          autoFocus={autoFocus}
          maxLength={120}
          required
          {...field('name')}
        />
        <TextField label={t('vehicle.phone')} type="tel" {...field('phone')} maxLength={40} />
        <TextField label={t('drivers.licence')} {...field('licence_number')} maxLength={40} />
        <TextField
          label={t('drivers.licence_expires')}
          {...field('licence_expires')}
          placeholder={t('drivers.day')}
          maxLength={10}
        />
        <TextField label={t('drivers.external_id')} {...field('external_id')} maxLength={64} />
      </div>
      <Cards {...field('cards')} fault={cardFault} />
      <TextField label={t('drivers.note')} {...field('note')} multiline maxLength={1_000} />
      <GroupPicker
        label={t('vehicles.groups')}
        {...field('group_ids')}
        {...(app.user.role === 'dealer' ? {} : { hint: t('drivers.groups_hint') })}
      />
    </>
  );
}

function Cards({
  value,
  onChange,
  fault,
}: {
  value: readonly CardLine[];
  onChange: (lines: CardLine[]) => void;
  fault: string | null;
}) {
  const t = useT();
  return (
    <TextArea
      label={t('drivers.cards')}
      lines={value}
      onChange={onChange}
      fault={fault}
      lineClass="driver-card"
      max={10}
      fields={(line, number, set) => (
        <>
          <TextField
            size="small"
            hiddenLabel
            label={t('drivers.card_number', { number })}
            placeholder={t('drivers.card_number_short')}
            value={line.number}
            onChange={(next) => set({ number: next })}
            maxLength={64}
          />
          <TextField
            size="small"
            hiddenLabel
            label={t('drivers.card_from', { number })}
            placeholder={t('drivers.card_from_short')}
            value={line.from}
            onChange={(from) => set({ from })}
            maxLength={19}
          />
          <TextField
            size="small"
            hiddenLabel
            label={t('drivers.card_to', { number })}
            placeholder={t('drivers.card_to_short')}
            value={line.to}
            onChange={(to) => set({ to })}
            maxLength={19}
          />
        </>
      )}
      removeLabel={(number) => t('drivers.card_remove', { number })}
      addLabel={t('drivers.card_add')}
      newLine={() => ({ number: '', from: '', to: '' })}
    />
  );
}

function DriverFacts({ driver }: { driver: Driver }) {
  const app = useAppContext();
  const t = useT();
  const groups = useStore(app.groups.store, (state) => state.byId);
  const names = sortedGroups([...groups.values()].filter((it) => driver.group_ids.includes(it.group_id)));
  return (
    <Facts
      facts={[
        [t('vehicle.phone'), driver.phone],
        [t('drivers.licence'), driver.licence_number],
        [t('drivers.licence_expires'), driver.licence_expires],
        [t('drivers.cards'), driver.cards.map((it) => it.number).join(', ')],
        [t('drivers.external_id'), driver.external_id],
        [t('drivers.note'), driver.note],
        [t('vehicles.groups'), names.map(({ name }) => name).join(', ')],
      ]}
    />
  );
}

function DriverRemoval({ driver }: { driver: Driver }) {
  const app = useAppContext();
  const t = useT();
  const lost = useLostSince() !== null;
  const [open, setOpen] = useState<'archive' | 'purge' | null>(null);
  const { name } = driver;
  return (
    <>
      <div className="manage__buttons">
        <Button size="small" disabled={lost} onPress={() => setOpen('archive')}>
          {t('drivers.archive')}
        </Button>
        {vehicleRights(app).isDealer && (
          <Button size="small" disabled={lost} onPress={() => setOpen('purge')}>
            {t('drivers.purge')}
          </Button>
        )}
      </div>
      {open !== null && (
        <ActionDialog
          title={t(`drivers.${open}_title`, { name })}
          submit={t(`drivers.${open}_do`, { name })}
          autoFocus
          act={() => removeDriver(app, driver, open === 'purge')}
          texts={{ version_conflict: `${t('drivers.changed')}.` }}
          onClose={() => setOpen(null)}
        >
          <p>{t(`drivers.${open}_what`)}</p>
        </ActionDialog>
      )}
    </>
  );
}

/** A new driver, who may have the card that a terminal read. */
export function NewDriver({
  card,
  groupIds,
  onClose,
  onAdded,
}: {
  card: string | null;
  /** What a new one begins in; who is no dealer sees a driver only through a group. */
  groupIds: readonly string[];
  onClose: () => void;
  onAdded: (driver: Driver) => void;
}) {
  const t = useT();
  const [start] = useState(() => ({
    ...emptyDriver,
    group_ids: groupIds,
    cards: card === null ? [] : [{ number: card, from: '', to: '' }],
  }));
  const editing = useDriverForm(null, start);
  return (
    <AddPanel
      title={t('drivers.add')}
      editing={editing}
      isWhole={editing.form.name.trim() !== ''}
      onClose={onClose}
      onAdded={onAdded}
    >
      <div className="manage__section">
        <DriverFields editing={editing} autoFocus />
      </div>
    </AddPanel>
  );
}
