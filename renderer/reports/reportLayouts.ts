import { z } from 'zod';
import type { StoreApi } from 'zustand/vanilla';
import {
  reportLayout,
  reportLayoutRoutes,
  type ReportLayout,
  type ReportLayouts,
} from '../../server/contract/reportLayouts.ts';
import { isCutByDriver, type ReportKind } from '../../server/contract/reportRows.ts';
import type { Api } from '../api/client.ts';
import type { Clock } from '../clock/clock.ts';
import type { TextStorage } from '../platform/platform.ts';
import { createOwnDocument } from '../resources/ownDocument.ts';
import { createOwnFields } from '../resources/ownFields.ts';

type Layouts = Readonly<Record<string, ReportLayout>>;

export interface ReportLayoutsDeps {
  api: Pick<Api, 'request'>;
  clock: Clock;
  storage: TextStorage;
  userId: string;
  /** The layout holds on this screen, and the server does not have it. */
  onNotSaved: () => void;
}

export interface ReportLayoutStore {
  /** By kind of report, as this screen shows them. */
  store: StoreApi<Layouts>;
  /** Shows it so at once, and saves it. */
  change: (kind: string, part: Partial<ReportLayout>) => void;
  start: () => () => void;
}

const USUAL = reportLayout.parse({});

export const layoutOf = (layouts: Layouts, kind: string): ReportLayout => layouts[kind] ?? USUAL;

/** Whether a layout shows who drove, of a kind whose rows are otherwise asked for without drivers. */
export const isShownByDriver = (kind: ReportKind, { group_by, columns }: ReportLayout): boolean =>
  isCutByDriver(kind) && (group_by === 'driver' || columns?.includes('driver') === true);

/** What a file is to show of a report as the table does; left out what the user has not chosen. */
export const fileLayoutOf = ({ columns, sort, group_by }: ReportLayout) => ({
  ...(columns === null ? {} : { columns: columns.join(',') }),
  ...(sort === null ? {} : { sort: `${sort.desc ? '-' : ''}${sort.column}` }),
  ...(group_by === 'none' ? {} : { group: group_by }),
});

/** The columns, the order and the grouping of each kind of report, as this user left them at any workstation. */
export function createReportLayouts({
  api,
  clock,
  storage,
  userId,
  onNotSaved,
}: ReportLayoutsDeps): ReportLayoutStore {
  const own = createOwnDocument<ReportLayouts>({
    clock,
    empty: { version: 1, layouts: {} },
    read: (signal) => api.request(reportLayoutRoutes.get, signal === undefined ? {} : { signal }),
    write: (body, ifMatch) => api.request(reportLayoutRoutes.put, { body, ifMatch }),
  });
  const fields = createOwnFields<ReportLayouts, Layouts>({
    own,
    fieldsOf: ({ layouts }) => layouts,
    contentOf: (layouts) => ({ layouts }),
    clock,
    storage,
    key: `report_layouts.${userId}.changed`,
    fields: z.record(z.string(), reportLayout),
    onNotSaved,
  });
  const { store, change } = fields;

  return {
    store,
    change: (kind, part) => change({ [kind]: { ...layoutOf(store.getState(), kind), ...part } }),
    start() {
      const undo = [own.start(), fields.start()];
      return () => undo.forEach((run) => run());
    },
  };
}
