import { useEffect, useRef, useState } from 'react';
import type { Geofence } from '../../../server/contract/geofences.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useNow } from '../../appContext/useMoment.ts';
import { formatAge } from '../../format/age.ts';
import { formatNumber } from '../../format/numbers.ts';
import { GroupPicker } from '../../groups/GroupPicker.tsx';
import { useT } from '../../i18n/useT.ts';
import { Button } from '../../ui/Button.tsx';
import { sentenceOf } from '../../ui/formFaults.ts';
import { Meter } from '../../ui/Meter.tsx';
import { Modal } from '../../ui/Modal.tsx';
import { ModalFooter } from '../../ui/ModalFooter.tsx';
import { runBulk } from '../../vehicles/manage/runBulk.ts';

export type BulkAction = 'join' | 'delete';

type Work =
  | { phase: 'asking' }
  | { phase: 'running'; done: number; of: number; waitsUntil: number | null }
  | { phase: 'over'; done: number; of: number; failed: { name: string; reason: string }[] };

/** Does one thing to many geofences: asks first, shows how far it is, can be stopped, and says what did not work. */
export function BulkActionDialog({
  action,
  geofences,
  onClose,
}: {
  action: BulkAction;
  geofences: readonly Geofence[];
  /** Called with whether something was done. */
  onClose: (isDone: boolean) => void;
}) {
  const app = useAppContext();
  const t = useT();
  const now = useNow();
  const [groupIds, setGroupIds] = useState<string[]>([]);
  const [work, setWork] = useState<Work>({ phase: 'asking' });
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const unbound = geofences.filter(({ group_ids }) => group_ids.length === 0).length;

  const act = (geofence: Geofence): Promise<unknown> => {
    // The newest that is known: somebody may have changed it since it was ticked.
    const known = app.geofences.store.getState().byId.get(geofence.geozone_id) ?? geofence;
    return action === 'delete'
      ? app.geofenceActions.remove(known)
      : app.geofenceActions.change(known, {
          group_ids: [...new Set([...known.group_ids, ...groupIds])],
        });
  };
  const start = async () => {
    const mine = new AbortController();
    abort.current = mine;
    const of = geofences.length;
    setWork({ phase: 'running', done: 0, of, waitsUntil: null });
    const { done, failed } = await runBulk({
      items: geofences,
      act,
      clock: app.clock,
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
        reason: sentenceOf(error, t, { version_conflict: t('geofence_bulk.changed_meanwhile') }) ?? '',
      })),
    });
  };

  return (
    <Modal
      title={t(`geofence_bulk.${action}_title`, { count: geofences.length })}
      onClose={() => onClose(work.phase !== 'asking')}
      width={520}
    >
      {work.phase === 'asking' && (
        <>
          {action === 'delete' ? (
            <p>{t('geofence_bulk.delete_what')}</p>
          ) : (
            <>
              <GroupPicker label={t('geofence.groups')} value={groupIds} onChange={setGroupIds} />
              {unbound > 0 && <p className="quiet">{t('geofence_bulk.unbound', { count: unbound })}</p>}
            </>
          )}
          <ModalFooter onCancel={() => onClose(false)}>
            <Button
              kind="primary"
              disabled={action === 'join' && groupIds.length === 0}
              onPress={() => void start()}
            >
              {t(`geofence_bulk.${action}_do`, { count: geofences.length })}
            </Button>
          </ModalFooter>
        </>
      )}
      {work.phase === 'running' && (
        <>
          <p role="status">
            {t('geofence_bulk.progress', { done: formatNumber(work.done), of: formatNumber(work.of) })}{' '}
            {work.waitsUntil !== null &&
              t('geofence_bulk.waits', { age: formatAge(Math.max(1_000, work.waitsUntil - now)) })}
          </p>
          <Meter label={t('geofence_bulk.progress_spoken')} value={work.done / work.of} />
          <div className="modal__actions">
            <Button onPress={() => abort.current?.abort()}>{t('geofence_bulk.stop')}</Button>
          </div>
        </>
      )}
      {work.phase === 'over' && (
        <>
          <p role="status">
            {t('geofence_bulk.over', { done: formatNumber(work.done), of: formatNumber(work.of) })}
          </p>
          <ul className="geofence-many__failed">
            {work.failed.map(({ name, reason }, at) => (
              <li key={at}>
                <span className="strong">{name}</span> {reason}
              </li>
            ))}
          </ul>
          <div className="modal__actions">
            <Button kind="primary" onPress={() => onClose(true)}>
              {t('ui.close')}
            </Button>
          </div>
        </>
      )}
    </Modal>
  );
}
