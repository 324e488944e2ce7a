import { I18nextProvider } from 'react-i18next';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { Task } from '../../../server/contract/video.ts';
import type { AppContext } from '../../../renderer/appContext/appContext.ts';
import { AppContextProvider } from '../../../renderer/appContext/AppContextProvider.tsx';
import { createDepotTime } from '../../../renderer/format/depotTime.ts';
import { createI18n } from '../../../renderer/i18n/text.ts';
import { VideoCell } from '../../../renderer/notifications/VideoCell.tsx';
import { sampleTask } from '../samples.ts';

function cellOf(...tasks: Task[]): string {
  const byId = new Map(tasks.map((it) => [it.task_id, it]));
  const app = {
    video: { tasks: createStore(() => ({ byId })) },
    settings: createStore(() => ({ time: createDepotTime('Europe/Berlin') })),
  } as unknown as AppContext;
  return renderToStaticMarkup(
    <I18nextProvider i18n={createI18n()}>
      <AppContextProvider value={app}>
        <VideoCell notification={{ vehicle_id: 'v1', event_ids: ['e1'] }} />
      </AppContextProvider>
    </I18nextProvider>,
  );
}

const here = sampleTask({ task_id: 'a', channel: 1, status: 'done', progress: 1 });
const waits = sampleTask({
  task_id: 'b',
  channel: 2,
  status: 'waiting',
  updated_at: '2026-11-21T11:57:00.000Z',
});
const comes = sampleTask({ task_id: 'c', channel: 3, status: 'downloading' });

describe('the video cell of a row', () => {
  it('the video cell of a row plays what has come while the rest waits for the terminal, and says that it waits', () => {
    const cell = cellOf(here, waits);
    expect(cell).toMatch(/<button[^>]*aria-label="1 of 2 ready"/);
    expect(cell).toContain('waiting for terminal');
    expect(cell).toContain('since 12:57');
  });

  it('the video cell of a row plays what has come while the rest is on its way, and draws how far that is', () => {
    const cell = cellOf(here, waits, comes);
    expect(cell).toMatch(/<button[^>]*aria-label="1 of 3 ready"/);
    expect(cell).toContain('role="meter');
  });

  it('the video cell of a row has nothing to play before the first frames are there', () => {
    expect(cellOf(waits)).not.toContain('<button');
    expect(cellOf(waits, comes)).not.toContain('<button');
  });
});
