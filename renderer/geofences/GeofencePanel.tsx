import { Redo2, Undo2, X } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { ConflictNotice } from '../resources/ConflictNotice.tsx';
import { Button } from '../ui/Button.tsx';
import { ConfirmButton } from '../ui/ConfirmButton.tsx';
import { Form } from '../ui/Form.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import {
  canRedo,
  canUndo,
  endDrawing,
  leaveDrawing,
  redoDrawing,
  typeInto,
  undoDrawing,
} from './drawingActions.ts';
import { draftOf, visitsAskedBy } from './form/geofenceDraft.ts';
import type { GeofenceEdit, GeofenceForm } from './form/geofenceEdit.ts';
import { differences } from './geofenceLabels.ts';
import { ShapeFields } from './form/ShapeFields.tsx';
import { useGeofenceForm } from './form/useGeofenceForm.ts';
import { VisitsDock } from './preview/VisitsDock.tsx';
import { GroupPicker } from '../groups/GroupPicker.tsx';
import { ScheduleField } from '../ui/ScheduleField.tsx';
import { TextField } from '../ui/TextField.tsx';
import { ColorField } from './form/ColorField.tsx';
import './GeofencePanel.css';

/**
 * Beside the map while a geofence is drawn or changed: its shape, its fields, and what it would have done. `roomy`
 * where the list of visits has its place from the start.
 */
export function GeofencePanel({ edit, roomy = false }: { edit: GeofenceEdit; roomy?: boolean }) {
  const app = useAppContext();
  const t = useT();
  const form = useGeofenceForm(edit);
  const { against } = form;
  const groups = useStore(app.groups.store, (state) => state.byId);
  const groupName = (id: string) => groups.get(id)?.name ?? t('geofence.group_unseen');
  const base = edit.kind === 'change' ? edit.base : null;
  const draft = useMemo(() => draftOf(edit), [edit]);
  const subject = useMemo(() => {
    const geofence = draft === null ? null : visitsAskedBy(draft);
    return geofence === null ? null : { geofence };
  }, [draft]);

  return (
    <section className="pane geofence-panel" aria-label={t('geofence.title')} data-pane tabIndex={-1}>
      <div className="pane__head">
        <h2 className="fill ellipsis">
          {base === null ? t('geofence.new') : t('geofence.edit', { name: base.name })}
        </h2>
        <IconButton
          icon={Undo2}
          size="small"
          label={t('command.undo_drawing')}
          keycap="Ctrl Z"
          disabled={!canUndo(edit)}
          onPress={() => undoDrawing(app)}
        />
        <IconButton
          icon={Redo2}
          size="small"
          label={t('command.redo_drawing')}
          keycap="Ctrl Shift Z"
          disabled={!canRedo(app, edit)}
          onPress={() => redoDrawing(app)}
        />
        <IconButton
          icon={X}
          size="small"
          label={t('ui.cancel')}
          keycap="Esc"
          onPress={() => leaveDrawing(app)}
        />
      </div>
      <Form className="geofence-panel__form" faults={form.faults} onSubmit={form.save}>
        <div className="geofence-panel__body">
          <ShapeFields edit={edit} faultOf={form.faultOf} />
          <LimitFields form={edit.form} faultOf={form.faultOf} />
        </div>
        {against !== null && draft !== null && (
          <ConflictNotice
            what={t(against === 'gone' ? 'geofence.deleted_meanwhile' : 'conflict.geofence')}
            changedAt={against === 'gone' ? null : against.updated_at}
            differences={against === 'gone' ? [] : differences(against, draft, groupName, t)}
            busy={form.busy}
            onTake={form.takeTheirs}
            onOverwrite={form.overwrite}
          >
            <Button size="small" disabled={form.busy} onPress={form.saveCopy}>
              {t('geofence.save_copy')}
            </Button>
          </ConflictNotice>
        )}
        {form.sentence !== null && (
          <p className="geofence-panel__sentence" role="alert">
            {form.sentence}
          </p>
        )}
        <div className="manage__foot">
          <Button
            kind="primary"
            submits
            disabled={form.busy || edit.form.name.trim() === '' || draft === null || against !== null}
          >
            {base === null ? t('geofence.save_new') : t('ui.save')}
          </Button>
          {base !== null && (
            <ConfirmButton
              disabled={form.busy}
              confirm={t('geofence.delete_really')}
              keep={t('geofence.keep')}
              onConfirm={form.remove}
            >
              {t('geofence.delete')}
            </ConfirmButton>
          )}
          <span className="fill" />
          <Button kind="quiet" onPress={() => endDrawing(app)}>
            {t('ui.cancel')}
          </Button>
        </div>
      </Form>
      <VisitsDock subject={subject} isRoomy={roomy} />
    </section>
  );
}

/** Name and colour of a geofence, what holds in it, for whom and when. */
function LimitFields({ form, faultOf }: { form: GeofenceForm; faultOf: (field: string) => string | null }) {
  const app = useAppContext();
  const t = useT();
  const timezone = useStore(app.settings, (state) => state.time.timeZone);
  const isDealer = app.user.role === 'dealer';
  const field = <Name extends keyof GeofenceForm>(name: Name, path: string) => ({
    value: form[name],
    onChange: (value: GeofenceForm[Name]) => typeInto(app, { [name]: value }),
    fault: faultOf(path),
  });
  return (
    <>
      <TextField label={t('geofence.name')} {...field('name', 'name')} required maxLength={120} />
      <TextField
        label={t('geofence.limit')}
        hint={t('geofence.limit_hint')}
        numeric
        {...field('speedLimit', 'speed_limit_kmh')}
        maxLength={5}
      />
      <GroupPicker
        label={t('geofence.groups')}
        hint={t(isDealer ? 'geofence.groups_hint' : 'geofence.groups_hint_user')}
        {...field('groupIds', 'group_ids')}
      />
      <ScheduleField label={t('geofence.schedule')} {...field('schedule', 'schedule')} timezone={timezone} />
      <ColorField
        label={t('geofence.color')}
        hint={t('geofence.color_hint')}
        value={form.color}
        onChange={(color) => typeInto(app, { color })}
      />
      <details className="geofence-panel__more">
        <summary>{t('geofence.border')}</summary>
        <TextField
          label={t('geofence.hysteresis')}
          hint={t('geofence.hysteresis_hint')}
          numeric
          {...field('hysteresis', 'hysteresis_m')}
          maxLength={6}
        />
        <TextField
          label={t('geofence.min_inside')}
          hint={t('geofence.min_inside_hint')}
          numeric
          {...field('minInside', 'min_inside_s')}
          maxLength={6}
        />
        <TextField
          label={t('geofence.min_outside')}
          hint={t('geofence.min_outside_hint')}
          numeric
          {...field('minOutside', 'min_outside_s')}
          maxLength={6}
        />
      </details>
    </>
  );
}
