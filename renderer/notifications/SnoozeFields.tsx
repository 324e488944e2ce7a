import { useState } from 'react';
import { useT } from '../i18n/useT.ts';
import { RadioRows } from '../ui/RadioRows.tsx';
import { TextField } from '../ui/TextField.tsx';
import { ownDurationS, SNOOZE_SPANS, type SnoozeSpan } from './snoozes.ts';

/** How long something is snoozed, and the note; `duration_s` is null for minutes that cannot be read. */
export function useSnoozeFields() {
  const [span, setSpan] = useState<SnoozeSpan>('quarter');
  const [minutes, setMinutes] = useState('');
  const [note, setNote] = useState('');
  return {
    ...{ span, setSpan, minutes, setMinutes, note, setNote },
    duration_s: span === 'own' ? ownDurationS(minutes) : SNOOZE_SPANS[span],
    noteOrNull: note.trim() === '' ? null : note.trim(),
  };
}

export function SnoozeFields({
  fields,
  fault,
}: {
  fields: ReturnType<typeof useSnoozeFields>;
  /** What is wrong with the minutes. */
  fault: string | null;
}) {
  const t = useT();
  return (
    <>
      <RadioRows
        label={t('snooze.how_long')}
        value={fields.span}
        onChange={fields.setSpan}
        columns={2}
        options={(['quarter', 'hour', 'shift', 'own'] as const).map((id) => ({
          id,
          label: t(`snooze.span.${id}`),
        }))}
      />
      {fields.span === 'own' && (
        <TextField
          label={t('snooze.minutes')}
          value={fields.minutes}
          onChange={fields.setMinutes}
          fault={fields.duration_s === null ? fault : null}
          numeric
          autoFocus
          maxLength={6}
        />
      )}
      <TextField label={t('note.label')} value={fields.note} onChange={fields.setNote} maxLength={2_000} />
    </>
  );
}
