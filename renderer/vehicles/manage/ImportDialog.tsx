import { useMemo, useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { useStore } from 'zustand';
import { useDesk } from '../../desk/DeskContext.tsx';
import { useLostSince } from '../../desk/useMoment.ts';
import { numberText } from '../../format/numbers.ts';
import type { Say } from '../../i18n/text.ts';
import { useText } from '../../i18n/useText.ts';
import { Button } from '../../ui/Button.tsx';
import { sentenceOf } from '../../ui/formFaults.ts';
import { Modal } from '../../ui/Modal.tsx';
import { ModalFoot } from '../../ui/ModalFoot.tsx';
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
  const desk = useDesk();
  const say = useText();
  const lost = useLostSince() !== null;
  const groups = useStore(desk.groups.store, (state) => state.byId);
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
      setSentence(
        error instanceof UnreadableFile ? unreadable(error, say) : say('import.unreadable.not_text'),
      );
      return;
    }
    if (rows.length > MOST_ROWS) {
      setSentence(say('import.too_many', { rows: numberText(rows.length), allowed: numberText(MOST_ROWS) }));
      return;
    }
    await send(async () => {
      const answer = await importVehicles(desk, rows, true);
      setTried({ answer, rows, lines: importLines(rows, answer.results) });
    });
  };

  const takeFile = async (file: File | undefined) => {
    if (file === undefined) return;
    if (file.size > MOST_BYTES) {
      setSentence(say('import.too_large'));
      return;
    }
    await tryOut(await file.text());
  };

  const importAll = () =>
    send(async () => {
      if (tried === null) return;
      const answer = await importVehicles(desk, tried.rows, false);
      setTried({ ...tried, answer, lines: importLines(tried.rows, answer.results) });
      setDone(answer);
    });

  async function send(work: () => Promise<void>): Promise<void> {
    setBusy(true);
    setSentence(null);
    try {
      await work();
    } catch (error) {
      setSentence(sentenceOf(error, say));
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
    <Modal title={say('import.title')} onClose={onClose} width={640}>
      {tried === null ? (
        <>
          <p className="quiet">{say('import.how')}</p>
          <div className="manage__buttons">
            <FileTrigger
              acceptedFileTypes={['.csv', '.json', 'text/csv', 'application/json']}
              onSelect={(files) => void takeFile(files?.[0])}
            >
              <Button kind="primary" disabled={busy || lost}>
                {say('import.choose')}
              </Button>
            </FileTrigger>
            <Button
              onPress={() =>
                void desk.platform.saveFile(
                  'vehicles-template.csv',
                  new Blob([csvTemplate([...groups.values()][0]?.name ?? '')], { type: 'text/csv' }),
                )
              }
            >
              {say('import.template')}
            </Button>
          </div>
          <TextField
            label={say('import.paste')}
            multiline
            value={text}
            onChange={setText}
            placeholder="terminal_id,name,plate"
          />
          {fault}
          <ModalFoot onCancel={onClose}>
            <Button disabled={busy || lost || text.trim() === ''} onPress={() => void tryOut(text)}>
              {say('import.try')}
            </Button>
          </ModalFoot>
        </>
      ) : (
        <>
          <p role="status" className={done === null ? '' : 'strong'}>
            {done === null
              ? say('import.would', counts(tried.answer))
              : say('import.done', counts(tried.answer))}
          </p>
          <ImportRows lines={tried.lines} isDone={done !== null} />
          {fault}
          <div className="modal__actions">
            {done === null ? (
              <>
                <Button disabled={busy} autoFocus={tried.answer.created === 0} onPress={() => setTried(null)}>
                  {say('import.back')}
                </Button>
                <Button
                  kind="primary"
                  autoFocus={tried.answer.created > 0}
                  disabled={busy || lost || tried.answer.created === 0}
                  onPress={() => void importAll()}
                >
                  {say('import.do', { count: tried.answer.created })}
                </Button>
              </>
            ) : (
              <Button kind="primary" autoFocus onPress={onClose}>
                {say('ui.close')}
              </Button>
            )}
          </div>
        </>
      )}
    </Modal>
  );
}

const counts = ({ created, exists, invalid }: ImportAnswer) => ({
  created: numberText(created),
  exists: numberText(exists),
  invalid: numberText(invalid),
});

function unreadable({ reason, line }: UnreadableFile, say: Say): string {
  return say(`import.unreadable.${reason}`, { line: line ?? 1 });
}
