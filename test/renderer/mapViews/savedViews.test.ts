import { expect, it } from 'vitest';
import { mapView, mapViewRoutes, type MapView } from '../../../server/contract/mapViews.ts';
import { ApiProblem } from '../../../renderer/api/errors.ts';
import {
  createSavedViews,
  withMapView,
  withoutView,
  withRenamedView,
  withStartView,
} from '../../../renderer/mapViews/savedViews.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

const view = (name: string, more: Partial<MapView> = {}) =>
  mapView.parse({ name, lat: 57, lon: 24, zoom: 12, layers: {}, ...more });
const namesOf = (views: readonly MapView[]) => views.map(({ name }) => name);

it('a view that is saved under a known name takes the place of that view and stays the start view', () => {
  const views = [view('Harbour', { start: true }), view('North')];
  const saved = withMapView(views, view('harbour', { zoom: 15 }));
  expect(namesOf(saved)).toEqual(['harbour', 'North']);
  expect(saved[0]).toMatchObject({ zoom: 15, start: true });
  expect(namesOf(withMapView(views, view('South')))).toEqual(['Harbour', 'North', 'South']);
});

it('a view that is renamed to the name of another takes its place', () => {
  const views = [view('Harbour'), view('North')];
  expect(namesOf(withRenamedView(views, 'Harbour', 'north'))).toEqual(['north']);
  expect(namesOf(withRenamedView(views, 'Harbour', 'HARBOUR'))).toEqual(['HARBOUR', 'North']);
  expect(namesOf(withoutView(views, 'harbour'))).toEqual(['North']);
});

it('there is one start view at most, and choosing it again leaves none', () => {
  const views = withStartView([view('Harbour', { start: true }), view('North')], 'North');
  expect(views.map(({ start }) => start)).toEqual([false, true]);
  expect(withStartView(views, 'North').some(({ start }) => start)).toBe(false);
});

it('a change of views that another workstation has changed meanwhile is made to those', async () => {
  const server = { version: 5, views: [view('Of the other workstation')] };
  const api = {
    request(route: unknown, asked: { body?: { views: MapView[] }; ifMatch?: number } = {}) {
      if (route !== mapViewRoutes.put) return Promise.resolve({ ...server });
      if (asked.ifMatch !== server.version)
        return Promise.reject(new ApiProblem({ code: 'version_conflict', status: 412 } as never, null));
      Object.assign(server, { version: server.version + 1, views: asked.body?.views ?? [] });
      return Promise.resolve({ ...server });
    },
  };
  const saved = createSavedViews({ api: api as never, clock: createFakeClock() });
  await saved.change((views) => withMapView(views, view('Harbour')));
  expect(namesOf(server.views)).toEqual(['Of the other workstation', 'Harbour']);
  expect(saved.store.getState().saved).toMatchObject({ version: 6, views: server.views });
});

it('the start view is taken once in a session', () => {
  const saved = createSavedViews({ api: {} as never, clock: createFakeClock() });
  expect([saved.takeStart(), saved.takeStart()]).toEqual([true, false]);
});
