import { ListFilter } from 'lucide-react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { laterPart } from '../screens/laterPart.tsx';
import { PopoverButton } from '../ui/PopoverButton.tsx';
import { filterQueue, isFiltering } from './queueView.ts';

export const queueFilterFields = laterPart(
  async () => (await import('./QueueFilterFields.tsx')).QueueFilterFields,
);

/** The button that opens the filter of the queue's rows. */
export function QueueFilterMenu() {
  const app = useAppContext();
  const t = useT();
  const filter = useStore(app.queueView, (state) => state.filter);
  return (
    <PopoverButton icon={ListFilter} label={t('queue.filter')} on={isFiltering(filter)} className="view-menu">
      {() => (
        <queueFilterFields.Part
          filter={filter}
          onChange={(part) => filterQueue(app, { ...filter, ...part })}
        />
      )}
    </PopoverButton>
  );
}
