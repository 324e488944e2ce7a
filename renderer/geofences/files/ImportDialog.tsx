import { useRef, useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useLostSince } from '../../appContext/useMoment.ts';
import { GroupPicker } from '../../groups/GroupPicker.tsx';
import { useT } from '../../i18n/useT.ts';
import { Button } from '../../ui/Button.tsx';
import { sentenceOf } from '../../ui/formFaults.ts';
import { Modal } from '../../ui/Modal.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { numberOf } from '../form/geofenceDraft.ts';
import {
  formatOf,
  importGeofences,
  MOST_BYTES,
  type GeofenceFormat,
  type ImportAnswer,
} from './geofenceFiles.ts';
import { ImportRows } from './ImportRows.tsx';
import './ImportDialog.css';

interface Chosen {
  name: string;
  text: string;
  format: GeofenceFormat;
}

/** Geofences from a file: first what would become of each shape, then the import. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const app = useAppContext();
  const t = useT();
  const isLost = useLostSince() !== null;
  const isDealer = app.user.role === 'dealer';
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [groupIds, setGroupIds] = useState<string[]>([]);
  const [radius, setRadius] = useState('');
  const [width, setWidth] = useState('');
  const [busy, setBusy] = useState(false);
  const [sentence, setSentence] = useState<string | null>(null);
  const [answer, setAnswer] = useState<ImportAnswer | null>(null);
  const [isDone, setIsDone] = useState(false);
  /** An answer to options that were changed meanwhile is nobody's. */
  const turn = useRef(0);

  const faults = {
    radius: radius.trim() !== '' && !(numberOf(radius) > 0) ? t('form.not_a_number') : null,
    width: width.trim() !== '' && !(numberOf(width) > 0) ? t('form.not_a_number') : null,
  };
  const needsGroup = !isDealer && groupIds.length === 0;
  const ready = chosen !== null && faults.radius === null && faults.width === null && !needsGroup;

  const send = async (file: Chosen, dryRun: boolean) => {
    turn.current += 1;
    const mine = turn.current;
    setBusy(true);
    setSentence(null);
    try {
      const options = {
        groupIds,
        radiusM: radius.trim() === '' ? null : numberOf(radius),
        widthM: width.trim() === '' ? null : numberOf(width),
      };
      const shown = await importGeofences(app, file.text, file.format, options, dryRun);
      if (mine !== turn.current) return;
      setAnswer(shown);
      setIsDone(!dryRun);
    } catch (error) {
      if (mine === turn.current) setSentence(sentenceOf(error, t));
    } finally {
      if (mine === turn.current) setBusy(false);
    }
  };

  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    setAnswer(null);
    setChosen(null);
    setSentence(null);
    if (file.size > MOST_BYTES) {
      setSentence(t('geofence_files.too_large'));
      return;
    }
    const text = await file.text();
    const format = formatOf(text);
    if (format === null) {
      setSentence(t('geofence_files.no_format', { name: file.name }));
      return;
    }
    const next = { name: file.name, text, format };
    setChosen(next);
    if (!needsGroup) await send(next, true);
  };
  const option =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      turn.current += 1;
      setBusy(false);
      setAnswer(null);
      set(value);
    };

  return (
    <Modal title={t('geofence_files.import_title')} onClose={onClose} width={640}>
      {!isDone && (
        <>
          <p className="quiet">{t('geofence_files.import_how')}</p>
          <div className="geofence-import__file">
            <FileTrigger
              acceptedFileTypes={['.geojson', '.json', '.kml']}
              onSelect={(files) => void take(files?.[0])}
            >
              <Button kind={chosen === null ? 'primary' : 'plain'} disabled={isLost}>
                {t('geofence_files.choose')}
              </Button>
            </FileTrigger>
            {chosen !== null && <span className="ellipsis">{chosen.name}</span>}
          </div>
          <div className="form-grid">
            <div className="form-whole">
              <GroupPicker
                label={t('geofence.groups')}
                hint={t(isDealer ? 'geofence.groups_hint' : 'geofence.groups_hint_user')}
                value={groupIds}
                onChange={option(setGroupIds)}
              />
            </div>
            <TextField
              label={t('geofence_files.radius')}
              hint={t('geofence_files.radius_hint')}
              numeric
              value={radius}
              onChange={option(setRadius)}
              fault={faults.radius}
              maxLength={7}
            />
            <TextField
              label={t('geofence_files.width')}
              hint={t('geofence_files.width_hint')}
              numeric
              value={width}
              onChange={option(setWidth)}
              fault={faults.width}
              maxLength={6}
            />
          </div>
        </>
      )}
      {answer !== null && (
        <>
          <p role="status" className="strong">
            {t(isDone ? 'geofence_files.done' : 'geofence_files.would', {
              created: answer.created,
              invalid: answer.invalid,
            })}
          </p>
          <ImportRows results={answer.results} isDone={isDone} />
        </>
      )}
      {sentence !== null && (
        <p className="form-sentence" role="alert">
          {sentence}
        </p>
      )}
      <div className="modal__actions">
        {isDone ? (
          <Button kind="primary" onPress={onClose}>
            {t('ui.close')}
          </Button>
        ) : (
          <>
            <Button onPress={onClose}>{t('ui.cancel')}</Button>
            {answer === null ? (
              <Button
                kind={chosen === null ? 'plain' : 'primary'}
                disabled={!ready || busy || isLost}
                onPress={() => {
                  if (chosen !== null) void send(chosen, true);
                }}
              >
                {t('geofence_files.try')}
              </Button>
            ) : (
              <Button
                kind="primary"
                disabled={!ready || busy || isLost || answer.created === 0}
                onPress={() => {
                  if (chosen !== null) void send(chosen, false);
                }}
              >
                {t('geofence_files.do', { count: answer.created })}
              </Button>
            )}
          </>
        )}
      </div>
    </Modal>
  );
}
