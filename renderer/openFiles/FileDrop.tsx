import { FileUp } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { isOverlayOpen } from '../commands/shortcuts.ts';
import { useT } from '../i18n/useT.ts';
import { laterPart } from '../screens/laterPart.tsx';
import { Icon } from '../ui/Icon.tsx';
import { openFiles } from './openFiles.ts';
import './FileDrop.css';

/** The dialogs of all imports, which the first picture does without. */
export const openedFilePart = laterPart(
  async () => (await import('./OpenedFileDialog.tsx')).OpenedFileDialog,
);

/**
 * Files that are dropped anywhere in the window open the import that they are for. What nobody takes is dropped to no
 * effect: a browser would leave the console for it.
 */
export function FileDrop() {
  const app = useAppContext();
  const t = useT();
  const [isOver, setOver] = useState(false);
  const isImporting = useStore(app.openedFiles.store, ({ waiting }) => waiting.length > 0);
  const take = useEffectEvent((files: readonly File[]) => {
    if (isOverlayOpen()) {
      const text = t('open_files.dialog_open');
      app.toasts.setState({ toast: { text, isTrouble: true, action: null } });
    } else void openFiles(app, files);
  });
  useEffect(() => listenForFiles(window, setOver, (files) => take(files)), []);
  return (
    <>
      {isOver && (
        <div className="file-drop" aria-hidden>
          <div className="file-drop__hint">
            <Icon of={FileUp} size={20} />
            <span className="strong">{t('open_files.drop')}</span>
            <span className="quiet">{t('open_files.drop_kinds')}</span>
          </div>
        </div>
      )}
      {isImporting && <openedFilePart.Part />}
    </>
  );
}

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;

/** Whether text may be dropped there. */
const takesText = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, [contenteditable]') !== null;

/** `onOver` says whether files are dragged over the page. Returns its undo. */
function listenForFiles(
  page: Window,
  onOver: (isOver: boolean) => void,
  onFiles: (files: readonly File[]) => void,
): () => void {
  const onDragOver = (event: DragEvent) => {
    onOver(hasFiles(event) && !isOverlayOpen());
    // A place of its own for files, such as that for maps, has answered by then or will.
    if (event.defaultPrevented || (!hasFiles(event) && takesText(event.target))) return;
    event.preventDefault();
    if (event.dataTransfer !== null) event.dataTransfer.dropEffect = hasFiles(event) ? 'copy' : 'none';
  };
  // Also of drops that something else takes.
  const onEnd = () => onOver(false);
  const onLeave = (event: DragEvent) => {
    if (event.relatedTarget === null) onOver(false);
  };
  const onDrop = (event: DragEvent) => {
    if (event.defaultPrevented || (!hasFiles(event) && takesText(event.target))) return;
    event.preventDefault();
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) onFiles(files);
  };
  page.addEventListener('dragover', onDragOver);
  page.addEventListener('dragleave', onLeave);
  page.addEventListener('drop', onEnd, { capture: true });
  page.addEventListener('drop', onDrop);
  return () => {
    page.removeEventListener('dragover', onDragOver);
    page.removeEventListener('dragleave', onLeave);
    page.removeEventListener('drop', onEnd, { capture: true });
    page.removeEventListener('drop', onDrop);
  };
}
