import { LifeBuoy } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { CheckboxButton, CheckboxField } from 'react-aria-components';
import { problemReportRoutes } from '../../server/contract/problemReport.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { useAction } from '../resources/useAction.ts';
import { usePolling } from '../resources/useReread.ts';
import { Button } from '../ui/Button.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { Modal, ModalFooter } from '../ui/Modal.tsx';
import { TextField } from '../ui/TextField.tsx';
import { reportText, type ReportPart } from './problemReport.ts';
import './ProblemReportDialog.css';

interface Gathered {
  createdAt: string;
  parts: readonly ReportPart[];
}

/** What is reviewed is what is saved: it does not change meanwhile. */
const ONCE_MS = 2 ** 31 - 1;

/** Offers a problem report to dealers. */
export function ProblemReportSection() {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  return (
    <section className="settings__section">
      <h2>{t('problem_report.title')}</h2>
      <p className="quiet">{t('problem_report.about')}</p>
      <div>
        <Button icon={LifeBuoy} onPress={() => setOpen(true)}>
          {t('problem_report.create')}
        </Button>
      </div>
      {isOpen && <ProblemReportDialog onClose={() => setOpen(false)} />}
    </section>
  );
}

/** Shows all that a problem report would hold; sections are left out, and the rest is saved as one file. */
function ProblemReportDialog({ onClose }: { onClose: () => void }) {
  const app = useAppContext();
  const t = useT();
  const read = useCallback((signal: AbortSignal) => gather(app, signal), [app]);
  const { value, load, again } = usePolling(read, ONCE_MS);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [note, setNote] = useState('');
  const { busy, sentence, run } = useAction();
  const text = useMemo(() => {
    if (value === null) return '';
    const parts = value.parts
      .filter((it) => !left.has(it.section))
      .map((it) => ({ ...it, title: t(`problem_report.section.${it.section}`) }));
    const title = `${t('problem_report.heading')}\n${value.createdAt}`;
    return reportText(title, { title: t('problem_report.note'), text: note }, parts);
  }, [value, left, note, t]);

  const save = () =>
    run(async () => {
      const day = (value?.createdAt ?? '').slice(0, 10);
      const file = new Blob([text], { type: 'text/plain;charset=utf-8' });
      const saved = await app.platform.saveFile(`fleetdeck-problem-report-${day}.txt`, file);
      if (saved !== false) onClose();
    });

  return (
    <Modal title={t('problem_report.title')} width={640} onClose={onClose}>
      <p className="quiet">{t('problem_report.review')}</p>
      <TextField
        label={t('problem_report.note')}
        hint={t('problem_report.note_about')}
        value={note}
        onChange={setNote}
        maxLength={4_000}
        multiline
      />
      {value === null && load.phase !== 'failed' && <p role="status">{t('problem_report.loading')}</p>}
      {value === null && load.phase === 'failed' && (
        <LoadFailure
          title={t('problem_report.failed')}
          stillWorks={t('about.still_works')}
          error={load.error}
          nextTryAt={load.nextTryAt}
          onRetry={again}
        />
      )}
      {value !== null && (
        <>
          <fieldset className="problem-report__sections">
            <legend className="field__label">{t('problem_report.sections')}</legend>
            {value.parts.map(({ section }) => (
              <CheckboxField
                key={section}
                isSelected={!left.has(section)}
                onChange={(isOn) => {
                  const next = new Set(left);
                  if (isOn) next.delete(section);
                  else next.add(section);
                  setLeft(next);
                }}
              >
                <CheckboxButton className="check">
                  <span className="check__box" aria-hidden />
                  {t(`problem_report.section.${section}`)}
                </CheckboxButton>
              </CheckboxField>
            ))}
          </fieldset>
          <pre
            className="problem-report__text"
            role="region"
            aria-label={t('problem_report.preview')}
            tabIndex={0}
          >
            {text}
          </pre>
        </>
      )}
      <ModalFooter sentence={sentence} onCancel={onClose}>
        <Button kind="primary" disabled={value === null || busy} onPress={() => void save()}>
          {t('problem_report.save')}
        </Button>
      </ModalFooter>
    </Modal>
  );
}

async function gather(app: AppContext, signal: AbortSignal): Promise<Gathered> {
  const { created_at, sections } = await app.api.request(problemReportRoutes.problemReport, { signal });
  const desktop = await app.platform.problemFacts?.();
  return {
    createdAt: created_at,
    parts: [
      ...sections,
      consolePart(app),
      ...(desktop === undefined ? [] : [{ section: 'desktop' as const, ...desktop }]),
    ],
  };
}

/** How the console does, as this page knows it. */
function consolePart({ connection, serverTime, platform, clock }: AppContext): ReportPart {
  const { link, malformed } = connection.getState();
  return {
    section: 'console',
    facts: {
      browser: navigator.userAgent,
      languages: navigator.languages.join(', '),
      screen: `${window.screen.width} x ${window.screen.height}`,
      window: `${window.innerWidth} x ${window.innerHeight}`,
      pixel_ratio: window.devicePixelRatio,
      secure: platform.secureContext,
      notifications: platform.notifyPermission(),
      link: link.phase,
      malformed_messages: malformed,
      server_clock_ahead_ms: Math.round(serverTime.now() - clock.now()),
    },
    lines: [],
  };
}
