import { X } from 'lucide-react';
import { useMemo, type SyntheticEvent } from 'react';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { DeleteButton } from './DeleteButton.tsx';
import { endDrawing } from './drawingActions.ts';
import { draftOf, visitsAskedBy } from './form/fenceDraft.ts';
import type { FenceEdit } from './form/fenceEdit.ts';
import { FenceConflict } from './form/FenceConflict.tsx';
import { LimitFields } from './form/LimitFields.tsx';
import { ShapeFields } from './form/ShapeFields.tsx';
import { useFenceForm } from './form/useFenceForm.ts';
import { PreviewDock } from './preview/PreviewDock.tsx';
import './GeofencePanel.css';

/**
 * Beside the map while a geofence is drawn or changed: its shape, its fields, and what it would have done. `roomy`
 * where the list of visits has its place from the start.
 */
export function GeofencePanel({ edit, roomy = false }: { edit: FenceEdit; roomy?: boolean }) {
  const desk = useDesk();
  const say = useText();
  const form = useFenceForm(edit);
  const base = edit.kind === 'change' ? edit.base : null;
  const draft = useMemo(() => draftOf(edit), [edit]);
  const subject = useMemo(() => {
    const geofence = draft === null ? null : visitsAskedBy(draft);
    return geofence === null ? null : { geofence };
  }, [draft]);

  return (
    <section className="pane geofence-panel" aria-label={say('fence.title')} data-pane tabIndex={-1}>
      <div className="pane__head">
        <h2 className="fill ellipsis">
          {base === null ? say('fence.new') : say('fence.edit', { name: base.name })}
        </h2>
        <IconButton
          icon={X}
          size="small"
          label={say('ui.cancel')}
          keycap="Esc"
          onPress={() => endDrawing(desk)}
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
          <FenceConflict
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
            {base === null ? say('fence.save_new') : say('ui.save')}
          </Button>
          {base !== null && <DeleteButton busy={form.busy} onDelete={form.remove} />}
          <span className="fill" />
          <Button kind="quiet" onPress={() => endDrawing(desk)}>
            {say('ui.cancel')}
          </Button>
        </div>
      </form>
      <PreviewDock subject={subject} roomy={roomy} />
    </section>
  );
}
