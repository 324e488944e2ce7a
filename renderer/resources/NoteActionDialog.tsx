import { useState, type ReactNode } from 'react';
import { TextField } from '../ui/TextField.tsx';
import { ActionDialog } from './ActionDialog.tsx';

/** Asks for a note and acts with it; null: none was written, which `isRequired` rules out. */
export function NoteActionDialog({
  title,
  submit,
  label,
  isRequired = false,
  act,
  onClose,
  children,
}: {
  title: string;
  submit: string;
  label: string;
  isRequired?: boolean;
  act: (note: string | null) => Promise<void> | void;
  onClose: () => void;
  children?: ReactNode;
}) {
  const [typed, setTyped] = useState('');
  const note = typed.trim() === '' ? null : typed.trim();
  return (
    <ActionDialog
      title={title}
      width={400}
      submit={submit}
      disabled={isRequired && note === null}
      act={() => act(note)}
      onClose={onClose}
    >
      {children}
      <TextField label={label} value={typed} onChange={setTyped} multiline autoFocus maxLength={2_000} />
    </ActionDialog>
  );
}
