import { useState, type ReactNode } from 'react';
import { useLostSince } from '../appContext/useMoment.ts';
import { GroupPicker } from '../groups/GroupPicker.tsx';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { ModalFooter } from '../ui/Modal.tsx';
import { BulkDialog, type BulkJob } from './BulkDialog.tsx';
import '../ui/manage.css';

/** What can be done with many rows at once. */
export interface BulkAction {
  id: string;
  /** On the bar. */
  label: string;
  /** Of the dialog, with the count. */
  title: string;
  /** What follows from it. */
  about?: ReactNode;
  /** Set when groups are chosen first: what the field is called. */
  groups?: string;
  /** What the button says that does it. */
  submit: string;
  jobs: (groupIds: readonly string[]) => readonly BulkJob[];
}

/** What can be done with all rows that are selected, and the dialog that does it. */
export function BulkActions({
  title,
  actions,
  more,
  onClear,
}: {
  /** How many are selected. */
  title: string;
  actions: readonly BulkAction[];
  /** What else can be done with them. */
  more?: ReactNode;
  onClear: () => void;
}) {
  const t = useT();
  const isLost = useLostSince() !== null;
  // What was selected when it was asked for: what others change must not change what is done.
  const [open, setOpen] = useState<BulkAction | null>(null);
  return (
    <div className="manage__foot manage__foot--bulk" role="group" aria-label={title}>
      <span className="strong">{title}</span>
      {actions.map((action) => (
        <Button key={action.id} size="small" disabled={isLost} onPress={() => setOpen(action)}>
          {action.label}
        </Button>
      ))}
      {more}
      <span className="fill" />
      <Button size="small" kind="quiet" onPress={onClear}>
        {t('bulk.clear')}
      </Button>
      {open !== null && (
        <BulkActionDialog
          action={open}
          onClose={(isDone) => {
            setOpen(null);
            if (isDone) onClear();
          }}
        />
      )}
    </div>
  );
}

/** Asks for the groups, where the action is about some, then does it. */
export function BulkActionDialog({
  action,
  onClose,
}: {
  action: BulkAction;
  /** Called with whether something was done. */
  onClose: (isDone: boolean) => void;
}) {
  const [groupIds, setGroupIds] = useState<string[]>([]);
  return (
    <BulkDialog title={action.title} onClose={onClose}>
      {(start) => (
        <>
          {action.groups !== undefined && (
            <GroupPicker label={action.groups} value={groupIds} onChange={setGroupIds} />
          )}
          {action.about}
          <ModalFooter onCancel={() => onClose(false)}>
            <Button
              kind="primary"
              disabled={action.groups !== undefined && groupIds.length === 0}
              onPress={() => start(action.jobs(groupIds))}
            >
              {action.submit}
            </Button>
          </ModalFooter>
        </>
      )}
    </BulkDialog>
  );
}
