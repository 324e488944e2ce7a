import { Bookmark } from 'lucide-react';
import { useRef, useState } from 'react';
import { Dialog, Popover } from 'react-aria-components';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { SavedViewList } from '../mapViews/SavedViewList.tsx';
import { withoutView, withRenamedView, withView } from '../mapViews/savedViews.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { presentView, showQueueView } from './queueView.ts';

const NONE = [] as const;

/** The button that opens the saved views of the queue: which list, how it is grouped, and what is folded. */
export function QueueViewMenu() {
  const app = useAppContext();
  const t = useT();
  const views = useStore(app.userPreferences.store, (state) => state.queue_views) ?? NONE;
  const button = useRef<HTMLSpanElement>(null);
  const [isOpen, setOpen] = useState(false);
  const save = (queue_views: typeof views) => app.userPreferences.change({ queue_views: [...queue_views] });
  return (
    <>
      <span ref={button}>
        <IconButton
          icon={Bookmark}
          size="small"
          label={t('views.title')}
          pressed={isOpen}
          onPress={() => setOpen(!isOpen)}
        />
      </span>
      <Popover
        className="popover"
        triggerRef={button}
        placement="top end"
        offset={4}
        isOpen={isOpen}
        shouldCloseOnInteractOutside={(element) => button.current?.contains(element) !== true}
        onOpenChange={setOpen}
      >
        <Dialog className="view-menu" aria-label={t('views.title')}>
          <SavedViewList
            names={views.map((it) => it.name)}
            onShow={(name) => {
              const view = views.find((it) => it.name === name);
              setOpen(false);
              if (view !== undefined) showQueueView(app, view);
            }}
            onRename={(name, newName) => save(withRenamedView(views, name, newName))}
            onDelete={(name) => save(withoutView(views, name))}
            onSave={(name) => save(withView(views, { name, ...presentView(app) }))}
          />
        </Dialog>
      </Popover>
    </>
  );
}
