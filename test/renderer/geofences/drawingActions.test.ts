import { expect, it, vi } from 'vitest';
import { resumeDrawing, startDrawing } from '../../../renderer/geofences/drawingActions.ts';
import type { ConsoleMap } from '../../../renderer/map/consoleMap.ts';
import { openSession } from '../commands/openSession.ts';

it('a drawing that is begun before there is a map goes on in the one that comes', () => {
  const { app } = openSession();
  app.map.store.setState({ maps: [] });
  startDrawing(app, 'polygon');
  expect(app.view.getState().geofenceEdit).toMatchObject({ kind: 'new', shape: 'polygon' });
  const draw = vi.fn();
  resumeDrawing(app, { drawing: { draw } } as unknown as ConsoleMap);
  expect(draw).toHaveBeenCalledExactlyOnceWith('polygon', expect.anything());
});
