import { Bookmark, House, Pencil, X } from 'lucide-react';
import { useEffect, useState, type SubmitEvent } from 'react';
import { useStore } from 'zustand';
import type { MapView } from '../../server/contract/mapViews.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { MapMenuButton } from '../live/MapMenuButton.tsx';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { TextField } from '../ui/TextField.tsx';
import { changeViews, mapViewsCommand, saveView, showView } from './mapViewActions.ts';
import { withoutView, withRenamedView, withStartView } from './savedViews.ts';
import './ViewMenu.css';

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
  return (
    <>
      {views.length === 0 && (
        <p className="quiet">{t(load.phase === 'failed' ? 'views.failed' : 'views.none')}</p>
      )}
      {views.length > 0 && (
        <ul aria-label={t('views.title')} className="view-menu__list">
          {views.map((view) => (
            <ViewRow key={view.name} view={view} />
          ))}
        </ul>
      )}
      <NameForm action={t('views.save')} onName={(name) => void saveView(app, name)} />
    </>
  );
}

function ViewRow({ view }: { view: MapView }) {
  const app = useAppContext();
  const t = useT();
  const [renaming, setRenaming] = useState(false);
  const { name, start } = view;
  const change = (revise: Parameters<typeof changeViews>[1]) => void changeViews(app, revise);
  if (renaming) {
    return (
      <li>
        <NameForm
          name={name}
          action={t('views.rename_save')}
          onName={(newName) => {
            setRenaming(false);
            change((views) => withRenamedView(views, name, newName));
          }}
        />
      </li>
    );
  }
  return (
    <li className="view-menu__row">
      <button
        type="button"
        className="view-menu__name ellipsis"
        title={name}
        onClick={() => {
          app.view.setState({ mapMenu: null });
          showView(app, view);
        }}
      >
        {name}
      </button>
      <IconButton
        icon={House}
        size="small"
        label={t('views.start', { name })}
        pressed={start}
        onPress={() => change((views) => withStartView(views, name))}
      />
      <IconButton
        icon={Pencil}
        size="small"
        label={t('views.rename', { name })}
        onPress={() => setRenaming(true)}
      />
      <IconButton
        icon={X}
        size="small"
        label={t('views.delete', { name })}
        onPress={() => change((views) => withoutView(views, name))}
      />
    </li>
  );
}

function NameForm({
  name = '',
  action,
  onName,
}: {
  name?: string;
  action: string;
  onName: (name: string) => void;
}) {
  const t = useT();
  const [typed, setTyped] = useState(name);
  const wanted = typed.trim();
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    if (wanted === '') return;
    setTyped('');
    onName(wanted);
  };
  return (
    <form className="view-menu__form" onSubmit={onSubmit}>
      <TextField
        hiddenLabel
        label={t('views.name')}
        placeholder={t('views.name')}
        value={typed}
        onChange={setTyped}
        maxLength={120}
        autoFocus={name !== ''}
      />
      <Button submits disabled={wanted === ''}>
        {action}
      </Button>
    </form>
  );
}
