import { useState } from 'react';
import { useStore } from 'zustand';
import { maxSnoozeS } from '../../server/contract/notifications.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { ActionDialog } from '../resources/ActionDialog.tsx';
import { TextField } from '../ui/TextField.tsx';
import { useVehicleName } from '../vehicles/useVehicleName.ts';
import { RadioRows } from './RadioRows.tsx';
import { ActiveSnoozes } from './ActiveSnoozes.tsx';
import { ownDurationS, SNOOZE_SPANS, type SnoozeSpan } from './snoozeDurations.ts';
import { useMaySnoozeRule } from './useMaySnoozeRule.ts';
import './SnoozeDialog.css';

export interface SnoozeDialogProps {
  vehicleId: string;
  /** The rule of the row that it was opened from; null for a vehicle alone. */
  rule: { rule_id: string; name: string } | null;
  /** The row calls for help: a snooze of its vehicle would not shelve it. */
  isSos: boolean;
  onClose: () => void;
}

/** Lets a vehicle or a rule keep still for a while, and ends what keeps still. */
export function SnoozeDialog({ vehicleId, rule, isSos, onClose }: SnoozeDialogProps) {
  const app = useAppContext();
  const t = useT();
  const vehicle = useVehicleName(vehicleId);
  const maySnoozeRule = useMaySnoozeRule(rule?.rule_id ?? null);
  const [chosen, setChosen] = useState<'vehicle' | 'rule' | null>(null);
  const [span, setSpan] = useState<SnoozeSpan>('quarter');
  const [minutes, setMinutes] = useState('');
  const [note, setNote] = useState('');
  const lost = useStore(app.connection, ({ link }) => link.phase === 'lost');

  const what = chosen ?? (isSos && maySnoozeRule === true ? 'rule' : 'vehicle');

  const duration_s = span === 'own' ? ownDurationS(minutes) : SNOOZE_SPANS[span];

  return (
    <ActionDialog
      title={t('snooze.title')}
      submit={t('snooze.snooze')}
      disabled={lost}
      check={() =>
        duration_s === null ? { minutes: t('snooze.own_fault', { days: maxSnoozeS / 86_400 }) } : {}
      }
      act={() =>
        app.snoozeActions.snooze({
          ...(what === 'rule' && rule !== null ? { rule_id: rule.rule_id } : { vehicle_id: vehicleId }),
          duration_s: duration_s ?? 0,
          note: note.trim() === '' ? null : note.trim(),
        })
      }
      onClose={onClose}
      below={<ActiveSnoozes />}
    >
      {(faults) => (
        <>
          <RadioRows
            label={t('snooze.what')}
            value={what}
            onChange={setChosen}
            options={[
              { id: 'vehicle', label: t('snooze.vehicle', { vehicle }), hint: t('snooze.vehicle_hint') },
              ...(rule === null
                ? []
                : [
                    {
                      id: 'rule' as const,
                      label: t('snooze.rule', { rule: rule.name }),
                      hint: t(maySnoozeRule === false ? 'snooze.rule_not_yours' : 'snooze.rule_hint'),
                      disabled: maySnoozeRule !== true,
                    },
                  ]),
            ]}
          />
          <RadioRows
            label={t('snooze.how_long')}
            value={span}
            onChange={setSpan}
            columns={2}
            options={(['quarter', 'hour', 'shift', 'own'] as const).map((id) => ({
              id,
              label: t(`snooze.span.${id}`),
            }))}
          />
          {span === 'own' && (
            <TextField
              label={t('snooze.minutes')}
              value={minutes}
              onChange={setMinutes}
              fault={duration_s === null ? (faults['minutes'] ?? null) : null}
              numeric
              autoFocus
              maxLength={6}
            />
          )}
          <TextField label={t('note.label')} value={note} onChange={setNote} maxLength={2_000} />
        </>
      )}
    </ActionDialog>
  );
}
