import { X } from 'lucide-react';
import { useMemo, type SyntheticEvent } from 'react';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { DeleteButton } from './DeleteButton.tsx';
import { endDrawing } from './drawingActions.ts';
import { draftOf, visitsAskedBy } from './form/geofenceDraft.ts';
import type { GeofenceEdit } from './form/geofenceEdit.ts';
import { GeofenceConflict } from './form/GeofenceConflict.tsx';
import { LimitFields } from './form/LimitFields.tsx';
import { ShapeFields } from './form/ShapeFields.tsx';
import { useGeofenceForm } from './form/useGeofenceForm.ts';
import { PreviewDock } from './preview/PreviewDock.tsx';
import './GeofencePanel.css';

/**
 * Beside the map while a geofence is drawn or changed: its shape, its fields, and what it would have done. `roomy`
 * where the list of visits has its place from the start.
 */
export function GeofencePanel({ edit, roomy = false }: { edit: GeofenceEdit; roomy?: boolean }) {
  const app = useAppContext();
  const t = useT();
  const form = useGeofenceForm(edit);
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
          icon={X}
          size="small"
          label={t('ui.cancel')}
          keycap="Esc"
          onPress={() => endDrawing(app)}
        />
      </div>
      <form
        className="geofence-panel__form"
        onSubmit={(event: SyntheticEvent) => {
          event.preventDefault();
          form.save();
        }}
      >
        <div className="geofence-panel__body">
          <ShapeFields edit={edit} faultOf={form.faultOf} />
          <LimitFields form={edit.form} faultOf={form.faultOf} />
        </div>
        {form.against !== null && draft !== null && (
          <GeofenceConflict
            theirs={form.against === 'gone' ? null : form.against}
            mine={draft}
            busy={form.busy}
            onTake={form.takeTheirs}
            onOverwrite={form.overwrite}
            onCopy={form.saveCopy}
          />
        )}
        {form.sentence !== null && (
          <p className="geofence-panel__sentence" role="alert">
            {form.sentence}
          </p>
        )}
        <div className="geofence-panel__foot">
          <Button
            kind="primary"
            submits
            disabled={form.busy || edit.form.name.trim() === '' || draft === null || form.against !== null}
          >
            {base === null ? t('geofence.save_new') : t('ui.save')}
          </Button>
          {base !== null && <DeleteButton busy={form.busy} onDelete={form.remove} />}
          <span className="fill" />
          <Button kind="quiet" onPress={() => endDrawing(app)}>
            {t('ui.cancel')}
          </Button>
        </div>
      </form>
      <PreviewDock subject={subject} roomy={roomy} />
    </section>
  );
}
