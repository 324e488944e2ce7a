import { useEffect, useRef, useState } from 'react';
import type { Geofence } from '../../../server/contract/geofences.ts';
import { useDesk } from '../../desk/DeskContext.tsx';
import { useNow } from '../../desk/useMoment.ts';
import { ageText } from '../../format/age.ts';
import { numberText } from '../../format/numbers.ts';
import { GroupPicker } from '../../groups/GroupPicker.tsx';
import { useText } from '../../i18n/useText.ts';
import { Button } from '../../ui/Button.tsx';
import { sentenceOf } from '../../ui/formFaults.ts';
import { Meter } from '../../ui/Meter.tsx';
import { Modal } from '../../ui/Modal.tsx';
import { ModalFoot } from '../../ui/ModalFoot.tsx';
import { runMany } from '../../vehicles/manage/runMany.ts';

export type Deed = 'join' | 'delete';

type Work =
  | { phase: 'asking' }
  | { phase: 'running'; done: number; of: number; waitsUntil: number | null }
  | { phase: 'over'; done: number; of: number; failed: { name: string; reason: string }[] };

/** Does one thing to many geofences: asks first, shows how far it is, can be stopped, and says what did not work. */
export function ManyDialog({
  deed,
  fences,
  onClose,
}: {
  deed: Deed;
  fences: readonly Geofence[];
  /** Told whether something was done. */
  onClose: (isDone: boolean) => void;
}) {
  const desk = useDesk();
  const say = useText();
  const now = useNow();
  const [groupIds, setGroupIds] = useState<string[]>([]);
  const [work, setWork] = useState<Work>({ phase: 'asking' });
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const unbound = fences.filter(({ group_ids }) => group_ids.length === 0).length;

  const act = (fence: Geofence): Promise<unknown> => {
    // The newest that is known: somebody may have changed it since it was ticked.
    const known = desk.geofences.store.getState().byId.get(fence.geozone_id) ?? fence;
    return deed === 'delete'
      ? desk.geofenceActions.remove(known)
      : desk.geofenceActions.change(known, {
          group_ids: [...new Set([...known.group_ids, ...groupIds])],
        });
  };
  const start = async () => {
    const mine = new AbortController();
    abort.current = mine;
    const of = fences.length;
    setWork({ phase: 'running', done: 0, of, waitsUntil: null });
    const { done, failed } = await runMany({
      items: fences,
      act,
      clock: desk.clock,
      signal: mine.signal,
      onProgress: (count, waitsUntil) => setWork({ phase: 'running', done: count, of, waitsUntil }),
    });
    if (failed.length === 0 && done.length === of) {
      onClose(true);
      return;
    }
    setWork({
      phase: 'over',
      done: done.length,
      of,
      failed: failed.map(({ item, error }) => ({
        name: item.name,
        reason: sentenceOf(error, say, { version_conflict: say('fence_many.changed_meanwhile') }) ?? '',
      })),
    });
  };

  return (
    <Modal
      title={say(`fence_many.${deed}_title`, { count: fences.length })}
      onClose={() => onClose(work.phase !== 'asking')}
      width={520}
    >
      {work.phase === 'asking' && (
        <>
          {deed === 'delete' ? (
            <p>{say('fence_many.delete_what')}</p>
          ) : (
            <>
              <GroupPicker label={say('fence.groups')} value={groupIds} onChange={setGroupIds} />
              {unbound > 0 && <p className="quiet">{say('fence_many.unbound', { count: unbound })}</p>}
            </>
          )}
          <ModalFoot onCancel={() => onClose(false)}>
            <Button
              kind="primary"
              disabled={deed === 'join' && groupIds.length === 0}
              onPress={() => void start()}
            >
              {say(`fence_many.${deed}_do`, { count: fences.length })}
            </Button>
          </ModalFoot>
        </>
      )}
      {work.phase === 'running' && (
        <>
          <p role="status">
            {say('fence_many.progress', { done: numberText(work.done), of: numberText(work.of) })}{' '}
            {work.waitsUntil !== null &&
              say('fence_many.waits', { age: ageText(Math.max(1_000, work.waitsUntil - now)) })}
          </p>
          <Meter label={say('fence_many.progress_spoken')} value={work.done / work.of} />
          <div className="modal__actions">
            <Button onPress={() => abort.current?.abort()}>{say('fence_many.stop')}</Button>
          </div>
        </>
      )}
      {work.phase === 'over' && (
        <>
          <p role="status">
            {say('fence_many.over', { done: numberText(work.done), of: numberText(work.of) })}
          </p>
          <ul className="fence-many__failed">
            {work.failed.map(({ name, reason }, at) => (
              <li key={at}>
                <span className="strong">{name}</span> {reason}
              </li>
            ))}
          </ul>
          <div className="modal__actions">
            <Button kind="primary" onPress={() => onClose(true)}>
              {say('ui.close')}
            </Button>
          </div>
        </>
      )}
    </Modal>
  );
}
