import { useMemo, useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { useStore } from 'zustand';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useLostSince } from '../../appContext/useMoment.ts';
import { formatNumber } from '../../format/numbers.ts';
import type { Translate } from '../../i18n/text.ts';
import { useT } from '../../i18n/useT.ts';
import { Button } from '../../ui/Button.tsx';
import { sentenceOf } from '../../ui/formFaults.ts';
import { Modal } from '../../ui/Modal.tsx';
import { ModalFooter } from '../../ui/ModalFooter.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { ImportRows, importLines, type ImportLine } from './ImportRows.tsx';
import { readVehicleFile, UnreadableFile } from './readVehicleFile.ts';
import { importVehicles, type ImportAnswer } from './vehicleAdmin.ts';
import { csvTemplate } from './vehicleCsv.ts';

/** The server takes so many rows and bytes at once (server/contract/vehicles.ts). */
const MOST_ROWS = 5_000;
const MOST_BYTES = 8 * 1024 * 1024;

interface Answered {
  answer: ImportAnswer;
  lines: ImportLine[];
  rows: unknown[];
}

/** Many vehicles from a file or a pasted text: first what would happen, row by row, then the import. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const app = useAppContext();
  const t = useT();
  const lost = useLostSince() !== null;
  const groups = useStore(app.groups.store, (state) => state.byId);
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [sentence, setSentence] = useState<string | null>(null);
  const [tried, setTried] = useState<Answered | null>(null);
  const [done, setDone] = useState<ImportAnswer | null>(null);
  const idByName = useMemo(
    () => new Map([...groups.values()].map(({ name, group_id }) => [name.toLowerCase(), group_id])),
    [groups],
  );

  const tryOut = async (content: string) => {
    setSentence(null);
    let rows: unknown[];
    try {
      rows = readVehicleFile(content, idByName);
    } catch (error) {
      setSentence(error instanceof UnreadableFile ? unreadable(error, t) : t('import.unreadable.not_text'));
      return;
    }
    if (rows.length > MOST_ROWS) {
      setSentence(
        t('import.too_many', { rows: formatNumber(rows.length), allowed: formatNumber(MOST_ROWS) }),
      );
      return;
    }
    await send(async () => {
      const answer = await importVehicles(app, rows, true);
      setTried({ answer, rows, lines: importLines(rows, answer.results) });
    });
  };

  const takeFile = async (file: File | undefined) => {
    if (file === undefined) return;
    if (file.size > MOST_BYTES) {
      setSentence(t('import.too_large'));
      return;
    }
    await tryOut(await file.text());
  };

  const importAll = () =>
    send(async () => {
      if (tried === null) return;
      const answer = await importVehicles(app, tried.rows, false);
      setTried({ ...tried, answer, lines: importLines(tried.rows, answer.results) });
      setDone(answer);
    });

  async function send(work: () => Promise<void>): Promise<void> {
    setBusy(true);
    setSentence(null);
    try {
      await work();
    } catch (error) {
      setSentence(sentenceOf(error, t));
    } finally {
      setBusy(false);
    }
  }

  const fault = sentence !== null && (
    <p className="form-sentence" role="alert">
      {sentence}
    </p>
  );
  return (
    <Modal title={t('import.title')} onClose={onClose} width={640}>
      {tried === null ? (
        <>
          <p className="quiet">{t('import.how')}</p>
          <div className="manage__buttons">
            <FileTrigger
              acceptedFileTypes={['.csv', '.json', 'text/csv', 'application/json']}
              onSelect={(files) => void takeFile(files?.[0])}
            >
              <Button kind="primary" disabled={busy || lost}>
                {t('import.choose')}
              </Button>
            </FileTrigger>
            <Button
              onPress={() =>
                void app.platform.saveFile(
                  'vehicles-template.csv',
                  new Blob([csvTemplate([...groups.values()][0]?.name ?? '')], { type: 'text/csv' }),
                )
              }
            >
              {t('import.template')}
            </Button>
          </div>
          <TextField
            label={t('import.paste')}
            multiline
            value={text}
            onChange={setText}
            placeholder="terminal_id,name,plate"
          />
          {fault}
          <ModalFooter onCancel={onClose}>
            <Button disabled={busy || lost || text.trim() === ''} onPress={() => void tryOut(text)}>
              {t('import.try')}
            </Button>
          </ModalFooter>
        </>
      ) : (
        <>
          <p role="status" className={done === null ? '' : 'strong'}>
            {done === null ? t('import.would', counts(tried.answer)) : t('import.done', counts(tried.answer))}
          </p>
          <ImportRows lines={tried.lines} isDone={done !== null} />
          {fault}
          <div className="modal__actions">
            {done === null ? (
              <>
                <Button disabled={busy} autoFocus={tried.answer.created === 0} onPress={() => setTried(null)}>
                  {t('import.back')}
                </Button>
                <Button
                  kind="primary"
                  autoFocus={tried.answer.created > 0}
                  disabled={busy || lost || tried.answer.created === 0}
                  onPress={() => void importAll()}
                >
                  {t('import.do', { count: tried.answer.created })}
                </Button>
              </>
            ) : (
              <Button kind="primary" autoFocus onPress={onClose}>
                {t('ui.close')}
              </Button>
            )}
          </div>
        </>
      )}
    </Modal>
  );
}

const counts = ({ created, exists, invalid }: ImportAnswer) => ({
  created: formatNumber(created),
  exists: formatNumber(exists),
  invalid: formatNumber(invalid),
});

function unreadable({ reason, line }: UnreadableFile, t: Translate): string {
  return t(`import.unreadable.${reason}`, { line: line ?? 1 });
}
