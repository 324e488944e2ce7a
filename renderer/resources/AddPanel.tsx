import type { ReactNode } from 'react';
import { useLostSince } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { Form } from '../ui/Form.tsx';
import { SidePanel } from './SidePanel.tsx';
import type { ResourceForm } from './useResourceForm.ts';

/** Beside a list: the form of what is added to it. */
export function AddPanel<Item extends object, Fields extends object>({
  title,
  editing,
  isWhole,
  onClose,
  onAdded,
  children,
}: {
  /** Of the panel and of the button. */
  title: string;
  editing: Pick<ResourceForm<Item, Fields>, 'faults' | 'sentence' | 'busy' | 'save'>;
  /** Whether all that is needed is typed. */
  isWhole: boolean;
  onClose: () => void;
  onAdded: (item: Item) => void;
  children: ReactNode;
}) {
  const t = useT();
  const lost = useLostSince() !== null;
  const { faults, sentence, busy, save } = editing;
  const mayAdd = isWhole && !busy && !lost;
  return (
    <SidePanel label={title} title={title} onClose={onClose}>
      <Form
        className="manage__body"
        faults={faults}
        hasSaveKey
        onSubmit={() => {
          if (mayAdd) void save().then((added) => added !== null && onAdded(added));
        }}
      >
        <div className="manage__side-body">{children}</div>
        <div className="manage__foot">
          <span className="fill strong" role="alert">
            {sentence}
          </span>
          <Button onPress={onClose}>{t('ui.cancel')}</Button>
          <Button kind="primary" submits keycap="Ctrl S" disabled={!mayAdd}>
            {title}
          </Button>
        </div>
      </Form>
    </SidePanel>
  );
}
