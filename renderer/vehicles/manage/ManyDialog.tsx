import { useEffect, useRef, useState } from 'react';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
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
import { runMany } from './runMany.ts';
import { archiveVehicle, setInGroup } from './vehicleAdmin.ts';

export type Deed = 'join' | 'leave' | 'archive';

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
export function ManyDialog({
  deed,
  vehicles,
  onClose,
}: {
  deed: Deed;
  vehicles: readonly Vehicle[];
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

  const jobs = (): Job[] =>
    deed === 'archive'
      ? vehicles.map((vehicle) => ({
          vehicle,
          run: async () => {
            await archiveVehicle(desk, vehicle);
            desk.vehicles.remove([vehicle.vehicle_id]);
          },
        }))
      : vehicles.flatMap((vehicle) =>
          groupIds
            .filter((id) => vehicle.group_ids.includes(id) !== (deed === 'join'))
            .map((id) => ({ vehicle, run: () => setInGroup(desk, vehicle.vehicle_id, id, deed === 'join') })),
        );

  const start = async () => {
    const items = jobs();
    const mine = new AbortController();
    abort.current = mine;
    setWork({ phase: 'running', done: 0, of: items.length, waitsUntil: null });
    const { done, failed } = await runMany({
      items,
      act: (job) => job.run(),
      clock: desk.clock,
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
        reason: sentenceOf(error, say, { version_conflict: say('many.changed_meanwhile') }) ?? '',
      })),
    });
  };

  return (
    <Modal
      title={say(`many.${deed}_title`, { count: vehicles.length })}
      onClose={() => onClose(work.phase !== 'asking')}
      width={520}
    >
      {work.phase === 'asking' ? (
        <>
          {deed === 'archive' ? (
            <p>{say('many.archive_what')}</p>
          ) : (
            <GroupPicker label={say('vehicles.groups')} value={groupIds} onChange={setGroupIds} />
          )}
          <ModalFoot onCancel={() => onClose(false)}>
            <Button
              kind="primary"
              disabled={deed !== 'archive' && groupIds.length === 0}
              onPress={() => void start()}
            >
              {say(`many.${deed}_do`, { count: vehicles.length })}
            </Button>
          </ModalFoot>
        </>
      ) : work.phase === 'running' ? (
        <>
          <p role="status">
            {say('many.progress', { done: numberText(work.done), of: numberText(work.of) })}{' '}
            {work.waitsUntil !== null &&
              say('many.waits', { age: ageText(Math.max(1_000, work.waitsUntil - now)) })}
          </p>
          <Meter label={say('many.progress_spoken')} value={work.of === 0 ? 1 : work.done / work.of} />
          <div className="modal__actions">
            <Button autoFocus onPress={() => abort.current?.abort()}>
              {say('many.stop')}
            </Button>
          </div>
        </>
      ) : (
        <>
          <p>{say('many.over', { done: numberText(work.done), of: numberText(work.of) })}</p>
          <ul className="form-column" style={{ gap: 4 }}>
            {work.failed.slice(0, FAILURES_SHOWN).map(({ name, reason }, index) => (
              <li key={index}>
                <span className="strong">{name}</span> {reason}
              </li>
            ))}
          </ul>
          {work.failed.length > FAILURES_SHOWN && (
            <p className="quiet">{say('pick.more', { number: work.failed.length - FAILURES_SHOWN })}</p>
          )}
          <div className="modal__actions">
            <Button kind="primary" autoFocus onPress={() => onClose(true)}>
              {say('ui.close')}
            </Button>
          </div>
        </>
      )}
    </Modal>
  );
}
