import { useMemo, useState, type ReactNode } from 'react';
import { FileTrigger } from 'react-aria-components';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useLostSince } from '../appContext/useMoment.ts';
import { formatNumber } from '../format/numbers.ts';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { DataTable, type Column } from '../ui/DataTable.tsx';
import { Failure } from '../ui/Form.tsx';
import { Modal } from '../ui/Modal.tsx';
import { TextField } from '../ui/TextField.tsx';
import { decodeText } from '../../server/contract/csv.ts';
import { useAction } from './useAction.ts';
import '../ui/manage.css';

/** The server takes no larger body (server/contract/vehicles.ts, server/contract/geofences.ts). */
const MOST_BYTES = 8 * 1024 * 1024;

/** What the server says of a row of the file, with the words by which the row is found. */
export interface ImportLine {
  row: number;
  words: readonly string[];
  status: 'created' | 'exists' | 'invalid';
  /** What is wrong with an invalid one. */
  faults: string;
}

export interface ImportAnswer {
  created: number;
  exists?: number;
  invalid: number;
  lines: readonly ImportLine[];
}

/** Many at once from a file or a pasted text: first what would become of each row, then the import. */
export function ImportWizard<Source>({
  title,
  about,
  accept,
  template,
  pasteExample,
  options,
  optionsKey = () => '',
  isReady = () => true,
  words,
  read,
  send,
  submit,
  onClose,
}: {
  title: string;
  about: string;
  /** Endings and types of the files. */
  accept: readonly string[];
  /** A file to begin from. */
  template?: { name: string; text: () => string };
  /** Set when rows can be pasted. */
  pasteExample?: string;
  /** Fields for what the file does not say. */
  options?: ReactNode;
  /** Changes with what is set in `options`: an answer to other options is no answer. */
  optionsKey?: (source: Source) => string;
  /** Whether `options` are filled in, for a file if there is one. */
  isReady?: (source: Source | null) => boolean;
  /** The columns in which `words` of the lines stand. */
  words: readonly { head: string; width: string }[];
  /** What a text holds, or why it cannot be read. */
  read: (text: string, name: string) => { source: Source } | { fault: string };
  /** Throws ApiProblem, Unreachable; a fault is one of the file. */
  send: (source: Source, dryRun: boolean) => Promise<ImportAnswer | { fault: string }>;
  submit: (count: number) => string;
  onClose: () => void;
}) {
  const { platform } = useAppContext();
  const t = useT();
  const isLost = useLostSince() !== null;
  const { busy, sentence, run, show, reset } = useAction();
  const [pasted, setPasted] = useState('');
  const [file, setFile] = useState<{ name: string; source: Source } | null>(null);
  const [answered, setAnswered] = useState<{
    source: Source;
    answer: ImportAnswer;
    optionsKey: string;
    isDone: boolean;
  } | null>(null);
  const current =
    answered !== null && (answered.isDone || answered.optionsKey === optionsKey(answered.source))
      ? answered
      : null;
  const isDone = current?.isDone === true;

  const ask = (source: Source, dryRun: boolean) =>
    run(async (counts) => {
      const answer = await send(source, dryRun);
      if (!counts()) return;
      if ('fault' in answer) show({ sentence: answer.fault });
      else setAnswered({ source, answer, optionsKey: optionsKey(source), isDone: !dryRun });
    });
  const take = (text: string, name: string) => {
    const found = read(text, name);
    if ('fault' in found) {
      show({ sentence: found.fault });
      return null;
    }
    return found.source;
  };
  const takeFile = async (chosen: File | undefined) => {
    if (chosen === undefined) return;
    reset();
    setAnswered(null);
    setPasted('');
    setFile(null);
    if (chosen.size > MOST_BYTES) {
      show({ sentence: t('import.too_large') });
      return;
    }
    const source = take(decodeText(new Uint8Array(await chosen.arrayBuffer())), chosen.name);
    if (source === null) return;
    setFile({ name: chosen.name, source });
    if (isReady(source)) void ask(source, true);
  };
  const check = () => {
    const source = pasted.trim() === '' ? (file?.source ?? null) : take(pasted, '');
    if (source !== null && isReady(source)) void ask(source, true);
  };

  const mayAsk = isReady(pasted.trim() === '' ? (file?.source ?? null) : null) && !busy && !isLost;
  const counts = current && {
    created: formatNumber(current.answer.created),
    exists: formatNumber(current.answer.exists ?? 0),
    invalid: formatNumber(current.answer.invalid),
  };
  const countsKey = current?.answer.exists === undefined ? '' : '_exists';
  return (
    <Modal
      title={title}
      onClose={onClose}
      width={640}
      {...(file !== null && !isDone ? { unsaved: true } : {})}
    >
      {!isDone && (
        <>
          <p className="quiet">{about}</p>
          <div className="import-file">
            <FileTrigger acceptedFileTypes={accept} onSelect={(files) => void takeFile(files?.[0])}>
              <Button kind={file === null && pasted === '' ? 'primary' : 'plain'} disabled={isLost}>
                {t('import.choose')}
              </Button>
            </FileTrigger>
            {template !== undefined && (
              <Button
                onPress={() =>
                  void platform.saveFile(template.name, new Blob([template.text()], { type: 'text/csv' }))
                }
              >
                {t('import.template')}
              </Button>
            )}
            {file !== null && <span className="ellipsis">{file.name}</span>}
          </div>
          {pasteExample !== undefined && (
            <TextField
              label={t('import.paste')}
              multiline
              value={pasted}
              onChange={(text) => {
                reset();
                setAnswered(null);
                setPasted(text);
              }}
              placeholder={pasteExample}
            />
          )}
          {options}
        </>
      )}
      {current !== null && counts !== null && (
        <>
          <p role="status" className="strong">
            {t(`import.${isDone ? 'done' : 'would'}${countsKey}`, counts)}
          </p>
          <ImportRows lines={current.answer.lines} words={words} isDone={isDone} />
        </>
      )}
      <Failure>{sentence}</Failure>
      <div className="modal__actions">
        {isDone ? (
          <Button kind="primary" autoFocus onPress={onClose}>
            {t('ui.close')}
          </Button>
        ) : (
          <>
            <Button onPress={onClose}>{t('ui.cancel')}</Button>
            {current !== null && current.answer.created > 0 ? (
              <Button
                key="import"
                kind="primary"
                autoFocus
                disabled={!mayAsk}
                onPress={() => void ask(current.source, false)}
              >
                {submit(current.answer.created)}
              </Button>
            ) : (
              <Button
                key="check"
                kind={file === null && pasted === '' ? 'plain' : 'primary'}
                disabled={!mayAsk || (file === null && pasted.trim() === '')}
                onPress={check}
              >
                {t('import.try')}
              </Button>
            )}
          </>
        )}
      </div>
    </Modal>
  );
}

const STATUSES = ['invalid', 'exists', 'created'] as const;
const FAULTS_FIRST = { id: 'result', desc: false };
const keyOf = ({ row }: ImportLine): string => String(row);

/** What becomes of each row of a file, those with faults first. */
function ImportRows({
  lines,
  words,
  isDone,
}: {
  lines: readonly ImportLine[];
  words: readonly { head: string; width: string }[];
  isDone: boolean;
}) {
  const t = useT();
  const heads = JSON.stringify(words);
  const columns = useMemo((): Column<ImportLine>[] => {
    const named = JSON.parse(heads) as typeof words;
    return [
      { id: 'row', head: t('import.column.row'), value: ({ row }) => row, align: 'end', width: '48px' },
      ...named.map(({ head, width }, at): Column<ImportLine> => ({
        id: `word-${at}`,
        head,
        value: (line) => line.words[at] ?? null,
        width,
      })),
      {
        id: 'result',
        head: t('import.column.result'),
        value: ({ status }) => STATUSES.indexOf(status),
        cell: ({ status, faults }) => {
          const text =
            status === 'invalid'
              ? faults
              : t(status === 'created' && isDone ? 'import.added' : `import.${status}`);
          return (
            <span className={{ invalid: 'strong', exists: 'quiet', created: '' }[status]} title={text}>
              {text}
            </span>
          );
        },
        width: 'minmax(200px, 3fr)',
      },
    ];
  }, [t, heads, isDone]);
  return (
    <div className="import-rows">
      <DataTable
        name={t('import.rows')}
        columns={columns}
        rows={lines}
        keyOf={keyOf}
        initialSort={FAULTS_FIRST}
      />
    </div>
  );
}
