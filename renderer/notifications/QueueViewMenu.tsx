import { Bookmark } from 'lucide-react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { SavedViewList } from '../mapViews/SavedViewList.tsx';
import { withoutView, withRenamedView, withView } from '../mapViews/savedViews.ts';
import { PopoverButton } from '../ui/PopoverButton.tsx';
import { presentView, showQueueView } from './queueView.ts';

const NONE = [] as const;

/** The button that opens the saved views of the queue: which list, how it is grouped, and what is folded. */
export function QueueViewMenu() {
  const app = useAppContext();
  const t = useT();
  const views = useStore(app.userPreferences.store, (state) => state.queue_views) ?? NONE;
  const save = (queue_views: typeof views) => app.userPreferences.change({ queue_views: [...queue_views] });
  return (
    <PopoverButton icon={Bookmark} label={t('views.title')} className="view-menu">
      {(close) => (
        <SavedViewList
          names={views.map((it) => it.name)}
          onShow={(name) => {
            const view = views.find((it) => it.name === name);
            close();
            if (view !== undefined) showQueueView(app, view);
          }}
          onRename={(name, newName) => save(withRenamedView(views, name, newName))}
          onDelete={(name) => save(withoutView(views, name))}
          onSave={(name) => save(withView(views, { name, ...presentView(app) }))}
        />
      )}
    </PopoverButton>
  );
}
