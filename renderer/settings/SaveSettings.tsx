import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { Failure } from '../ui/Form.tsx';

/** The end of a form of settings: why they could not be saved, and the button that does it. */
export function SaveSettings({ sentence, disabled }: { sentence: string | null; disabled: boolean }) {
  const t = useT();
  return (
    <>
      <Failure>{sentence}</Failure>
      <div>
        <Button kind="primary" submits disabled={disabled}>
          {t('ui.save')}
        </Button>
      </div>
    </>
  );
}
