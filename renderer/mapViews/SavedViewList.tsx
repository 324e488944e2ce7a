import { Pencil, X } from 'lucide-react';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { TextField } from '../ui/TextField.tsx';
import './ViewMenu.css';

interface SavedViewActions {
  onShow: (name: string) => void;
  onRename: (name: string, newName: string) => void;
  onDelete: (name: string) => void;
  /** What else is done with a view. */
  more?: (name: string) => ReactNode;
}

/** Saved views, each to be shown, renamed or deleted, and a field that saves what is shown now. */
export function SavedViewList({
  names,
  onSave,
  ...actions
}: SavedViewActions & { names: readonly string[]; onSave: (name: string) => void }) {
  const t = useT();
  return (
    <>
      {names.length > 0 && (
        <ul aria-label={t('views.title')} className="view-menu__list">
          {names.map((name) => (
            <ViewRow key={name} name={name} {...actions} />
          ))}
        </ul>
      )}
      <NameForm action={t('views.save')} onName={onSave} />
    </>
  );
}

function ViewRow({ name, onShow, onRename, onDelete, more }: SavedViewActions & { name: string }) {
  const t = useT();
  const [renaming, setRenaming] = useState(false);
  if (renaming) {
    return (
      <li>
        <NameForm
          name={name}
          action={t('views.rename_save')}
          onName={(newName) => {
            setRenaming(false);
            onRename(name, newName);
          }}
        />
      </li>
    );
  }
  return (
    <li className="view-menu__row">
      <button type="button" className="view-menu__name ellipsis" title={name} onClick={() => onShow(name)}>
        {name}
      </button>
      {more?.(name)}
      <IconButton
        icon={Pencil}
        size="small"
        label={t('views.rename', { name })}
        onPress={() => setRenaming(true)}
      />
      <IconButton icon={X} size="small" label={t('views.delete', { name })} onPress={() => onDelete(name)} />
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
