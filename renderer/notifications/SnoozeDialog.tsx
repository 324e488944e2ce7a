import { useState, type SyntheticEvent } from 'react';
import { useStore } from 'zustand';
import { longestSnooze_s } from '../../server/contract/notifications.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { Button } from '../ui/Button.tsx';
import { sentenceOf } from '../ui/formFaults.ts';
import { Modal } from '../ui/Modal.tsx';
import { ModalFoot } from '../ui/ModalFoot.tsx';
import { TextField } from '../ui/TextField.tsx';
import { useVehicleName } from '../vehicles/useVehicleName.ts';
import { RadioRows } from './RadioRows.tsx';
import { RunningSnoozes } from './RunningSnoozes.tsx';
import { ownDuration_s, SNOOZE_SPANS, type SnoozeSpan } from './snoozeSpans.ts';
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
  const desk = useDesk();
  const say = useText();
  const vehicle = useVehicleName(vehicleId);
  const maySnoozeRule = useMaySnoozeRule(rule?.rule_id ?? null);
  const [chosen, setChosen] = useState<'vehicle' | 'rule' | null>(null);
  const [span, setSpan] = useState<SnoozeSpan>('quarter');
  const [minutes, setMinutes] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [note, setNote] = useState('');
  const [sentence, setSentence] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const lost = useStore(desk.connection, ({ link }) => link.phase === 'lost');

  const what = chosen ?? (isSos && maySnoozeRule === true ? 'rule' : 'vehicle');

  const snooze = async () => {
    const duration_s = span === 'own' ? ownDuration_s(minutes) : SNOOZE_SPANS[span];
    if (duration_s === null) {
      setFault(say('snooze.own_fault', { days: longestSnooze_s / 86_400 }));
      return;
    }
    setBusy(true);
    setSentence(null);
    try {
      await desk.snoozeActions.snooze({
        ...(what === 'rule' && rule !== null ? { rule_id: rule.rule_id } : { vehicle_id: vehicleId }),
        duration_s,
        note: note.trim() === '' ? null : note.trim(),
      });
      onClose();
    } catch (error) {
      setSentence(sentenceOf(error, say));
      setBusy(false);
    }
  };

  return (
    <Modal title={say('snooze.title')} onClose={onClose} width={520}>
      <form
        className="form-column"
        onSubmit={(event: SyntheticEvent) => {
          event.preventDefault();
          void snooze();
        }}
      >
        <RadioRows
          label={say('snooze.what')}
          value={what}
          onChange={setChosen}
          options={[
            { id: 'vehicle', label: say('snooze.vehicle', { vehicle }), hint: say('snooze.vehicle_hint') },
            ...(rule === null
              ? []
              : [
                  {
                    id: 'rule' as const,
                    label: say('snooze.rule', { rule: rule.name }),
                    hint: say(maySnoozeRule === false ? 'snooze.rule_not_yours' : 'snooze.rule_hint'),
                    disabled: maySnoozeRule !== true,
                  },
                ]),
          ]}
        />
        <RadioRows
          label={say('snooze.how_long')}
          value={span}
          onChange={setSpan}
          columns={2}
          options={(['quarter', 'hour', 'shift', 'own'] as const).map((id) => ({
            id,
            label: say(`snooze.span.${id}`),
          }))}
        />
        {span === 'own' && (
          <TextField
            label={say('snooze.minutes')}
            value={minutes}
            onChange={(value) => {
              setMinutes(value);
              setFault(null);
            }}
            fault={fault}
            numeric
            autoFocus
            maxLength={6}
          />
        )}
        <TextField label={say('note.label')} value={note} onChange={setNote} maxLength={2_000} />
        <ModalFoot sentence={sentence} onCancel={onClose}>
          <Button kind="primary" submits disabled={busy || lost}>
            {say('snooze.snooze')}
          </Button>
        </ModalFoot>
      </form>
      <RunningSnoozes />
    </Modal>
  );
}
