import { Bookmark, House } from 'lucide-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { MapMenuButton } from '../live/MapMenuButton.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { changeViews, mapViewsCommand, saveView, showView } from './mapViewActions.ts';
import { SavedViewList } from './SavedViewList.tsx';
import { withoutView, withRenamedView, withStartView } from './savedViews.ts';

/** The button that opens the saved views of the user. */
export const ViewMenu = () => (
  <MapMenuButton menu="views" icon={Bookmark} command={mapViewsCommand} className="view-menu">
    <SavedViews />
  </MapMenuButton>
);

function SavedViews() {
  const app = useAppContext();
  const t = useT();
  const {
    saved: { views },
    load,
  } = useStore(app.savedViews.store);
  useEffect(() => app.savedViews.reload(), [app]);
  const change = (revise: Parameters<typeof changeViews>[1]) => void changeViews(app, revise);
  const named = (name: string) => views.find((it) => it.name === name);
  return (
    <>
      {views.length === 0 && (
        <p className="quiet">{t(load.phase === 'failed' ? 'views.failed' : 'views.none')}</p>
      )}
      <SavedViewList
        names={views.map((it) => it.name)}
        onShow={(name) => {
          const view = named(name);
          app.view.setState({ mapMenu: null });
          if (view !== undefined) showView(app, view);
        }}
        onRename={(name, newName) => change((all) => withRenamedView(all, name, newName))}
        onDelete={(name) => change((all) => withoutView(all, name))}
        onSave={(name) => void saveView(app, name)}
        more={(name) => (
          <IconButton
            icon={House}
            size="small"
            label={t('views.start', { name })}
            pressed={named(name)?.start ?? false}
            onPress={() => change((all) => withStartView(all, name))}
          />
        )}
      />
    </>
  );
}
