import { useEffect, useRef, useState } from 'react';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
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
import { runBulk } from './runBulk.ts';
import { archiveVehicle, setInGroup } from './vehicleAdmin.ts';

export type BulkAction = 'join' | 'leave' | 'archive';

interface Job {
  vehicle: Vehicle;
  run: () => Promise<unknown>;
}

/** How far the work is; `failed` are the vehicles that stayed as they were. */
type Work =
  | { phase: 'asking' }
  | { phase: 'running'; done: number; of: number; waitsUntil: number | null }
  | { phase: 'over'; done: number; of: number; failed: { name: string; reason: string }[] };

const FAILURES_SHOWN = 8;

/** Does one thing to many vehicles: asks first, shows how far it is, can be stopped, and says what did not work. */
export function BulkActionDialog({
  action,
  vehicles,
  onClose,
}: {
  action: BulkAction;
  vehicles: readonly Vehicle[];
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

  const jobs = (): Job[] =>
    action === 'archive'
      ? vehicles.map((vehicle) => ({
          vehicle,
          run: async () => {
            await archiveVehicle(app, vehicle);
            app.vehicles.hide([vehicle.vehicle_id]);
          },
        }))
      : vehicles.flatMap((vehicle) =>
          groupIds
            .filter((id) => vehicle.group_ids.includes(id) !== (action === 'join'))
            .map((id) => ({
              vehicle,
              run: () => setInGroup(app, vehicle.vehicle_id, id, action === 'join'),
            })),
        );

  const start = async () => {
    const items = jobs();
    const mine = new AbortController();
    abort.current = mine;
    setWork({ phase: 'running', done: 0, of: items.length, waitsUntil: null });
    const { done, failed } = await runBulk({
      items,
      act: (job) => job.run(),
      clock: app.clock,
      signal: mine.signal,
      onProgress: (count, waitsUntil) =>
        setWork({ phase: 'running', done: count, of: items.length, waitsUntil }),
    });
    if (failed.length === 0 && done.length === items.length) {
      onClose(true);
      return;
    }
    setWork({
      phase: 'over',
      done: done.length,
      of: items.length,
      failed: failed.map(({ item, error }) => ({
        name: item.vehicle.name,
        reason: sentenceOf(error, t, { version_conflict: t('many.changed_meanwhile') }) ?? '',
      })),
    });
  };

  return (
    <Modal
      title={t(`many.${action}_title`, { count: vehicles.length })}
      onClose={() => onClose(work.phase !== 'asking')}
      width={520}
    >
      {work.phase === 'asking' ? (
        <>
          {action === 'archive' ? (
            <p>{t('many.archive_what')}</p>
          ) : (
            <GroupPicker label={t('vehicles.groups')} value={groupIds} onChange={setGroupIds} />
          )}
          <ModalFooter onCancel={() => onClose(false)}>
            <Button
              kind="primary"
              disabled={action !== 'archive' && groupIds.length === 0}
              onPress={() => void start()}
            >
              {t(`many.${action}_do`, { count: vehicles.length })}
            </Button>
          </ModalFooter>
        </>
      ) : work.phase === 'running' ? (
        <>
          <p role="status">
            {t('many.progress', { done: formatNumber(work.done), of: formatNumber(work.of) })}{' '}
            {work.waitsUntil !== null &&
              t('many.waits', { age: formatAge(Math.max(1_000, work.waitsUntil - now)) })}
          </p>
          <Meter label={t('many.progress_spoken')} value={work.of === 0 ? 1 : work.done / work.of} />
          <div className="modal__actions">
            <Button autoFocus onPress={() => abort.current?.abort()}>
              {t('many.stop')}
            </Button>
          </div>
        </>
      ) : (
        <>
          <p>{t('many.over', { done: formatNumber(work.done), of: formatNumber(work.of) })}</p>
          <ul className="form-column" style={{ gap: 4 }}>
            {work.failed.slice(0, FAILURES_SHOWN).map(({ name, reason }, index) => (
              <li key={index}>
                <span className="strong">{name}</span> {reason}
              </li>
            ))}
          </ul>
          {work.failed.length > FAILURES_SHOWN && (
            <p className="quiet">{t('pick.more', { number: work.failed.length - FAILURES_SHOWN })}</p>
          )}
          <div className="modal__actions">
            <Button kind="primary" autoFocus onPress={() => onClose(true)}>
              {t('ui.close')}
            </Button>
          </div>
        </>
      )}
    </Modal>
  );
}
