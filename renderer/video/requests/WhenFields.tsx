import { useStore } from 'zustand';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useT } from '../../i18n/useT.ts';
import { RadioRows } from '../../ui/RadioRows.tsx';
import { TextField } from '../../ui/TextField.tsx';
import './OrderDialog.css';

type SpanField = 'date' | 'from' | 'to';

/** Whether video is requested around now, or of a span of time as it is typed here. */
export function WhenFields({
  when,
  onWhen,
  span,
  onSpan,
  faults,
}: {
  when: 'around' | 'span';
  onWhen: (when: 'around' | 'span') => void;
  span: Readonly<Record<SpanField, string>>;
  onSpan: Readonly<Record<SpanField, (typed: string) => void>>;
  faults: Readonly<Partial<Record<SpanField, string>>>;
}) {
  const app = useAppContext();
  const t = useT();
  const { numbers, time } = useStore(app.settings);
  return (
    <>
      <RadioRows
        label={t('video_request.when')}
        value={when}
        onChange={onWhen}
        options={[
          {
            id: 'around',
            label: t('video_request.around', {
              before: numbers.video_before_s,
              after: numbers.video_after_s,
            }),
          },
          { id: 'span', label: t('video_request.span') },
        ]}
      />
      {when === 'span' && (
        <>
          <div className="video-request-form__span">
            {(['date', 'from', 'to'] as const).map((field) => (
              <TextField
                key={field}
                label={t(`video_request.${field}`)}
                value={span[field]}
                onChange={onSpan[field]}
                fault={faults[field] ?? null}
                maxLength={field === 'date' ? 10 : 8}
              />
            ))}
          </div>
          <p className="faint small">{t('video_request.zone', { zone: time.timeZone })}</p>
        </>
      )}
    </>
  );
}
