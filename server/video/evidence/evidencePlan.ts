import type { TaskFile, TaskRow } from '../../store/telemetry/rows.ts';
import { clipName, fileTime, who } from '../doneFile.ts';

export interface PlannedClip {
  row: TaskRow;
  file: TaskFile;
  /** In the video folder. */
  file_name: string;
  /** In the archive. */
  name: string;
  channel_name: string | null;
}

/** What goes out of one vehicle, over one period. */
export interface PlannedVehicle {
  vehicle_id: string;
  terminal_id: string;
  name: string;
  plate: string | null;
  from_ms: number;
  to_ms: number;
  /** Oldest first, then by channel. */
  clips: PlannedClip[];
  /** The names of its tables in the archive, without their endings. */
  positionsName: string;
  eventsName: string;
}

export interface PlanDeps {
  vehicleOf: (vehicleId: string) => { name: string; plate: string | null; terminal_id: string } | undefined;
  channelNameOf: (row: Pick<TaskRow, 'profile_id' | 'channel'>) => string | null;
}

export type DoneTask = Omit<PlannedClip, 'name' | 'channel_name'>;

/** Events and track are included for this long before and after the clips. */
const aroundMs = 60_000;

/** Of a vehicle, whether or not there are clips of it. */
export interface EvidencePeriod {
  vehicle_id: string;
  from_ms: number;
  to_ms: number;
}

/** What an export holds, by vehicle in the order of their names. @param periods what goes out besides that of the clips */
export function planEvidence(
  tasks: readonly DoneTask[],
  deps: PlanDeps,
  periods: readonly EvidencePeriod[] = [],
): PlannedVehicle[] {
  const unique = uniqueNames();
  const vehicleIds = [
    ...new Set([...tasks.map(({ row }) => row.vehicle_id), ...periods.map((it) => it.vehicle_id)]),
  ];
  return vehicleIds
    .map((vehicle_id) => {
      const ofVehicle = tasks.filter(({ row }) => row.vehicle_id === vehicle_id);
      const clips = ofVehicle.toSorted(
        (a, b) =>
          a.row.from_ms - b.row.from_ms ||
          a.row.channel - b.row.channel ||
          a.row.task_id.localeCompare(b.row.task_id),
      );
      const vehicle = deps.vehicleOf(vehicle_id);
      const terminal_id = clips.at(-1)?.row.terminal_id ?? vehicle?.terminal_id ?? '';
      return { vehicle_id, terminal_id, vehicle, clips, called: who({ terminal_id }, vehicle) };
    })
    .toSorted((a, b) => a.called.localeCompare(b.called) || a.vehicle_id.localeCompare(b.vehicle_id))
    .map(({ vehicle_id, terminal_id, vehicle, clips, called }) => {
      const own = periods.filter((it) => it.vehicle_id === vehicle_id);
      const from_ms = Math.min(
        ...clips.map(({ row }) => row.from_ms - aroundMs),
        ...own.map((it) => it.from_ms),
      );
      const to_ms = Math.max(...clips.map(({ row }) => row.to_ms + aroundMs), ...own.map((it) => it.to_ms));
      return {
        ...{ vehicle_id, terminal_id, from_ms, to_ms },
        name: vehicle?.name ?? '',
        plate: vehicle?.plate ?? null,
        clips: clips.map((clip) => ({
          ...clip,
          name: unique(`clips/${clipName(clip.row, vehicle)}`),
          channel_name: deps.channelNameOf(clip.row),
        })),
        positionsName: unique(`positions/${called} ${fileTime(from_ms)}`),
        eventsName: unique(`events/${called} ${fileTime(from_ms)}`),
      };
    });
}

/**
 * Repeated names get a number before the extension; letter case does not distinguish names, as on Windows and macOS.
 */
export function uniqueNames(): (name: string) => string {
  const taken = new Set<string>();
  return (name) => {
    const [, stem = name, ending = ''] = /^(.*?)(\.\w{1,8})?$/.exec(name) ?? [];
    let free = name;
    for (let count = 2; taken.has(free.toLowerCase()); count++) free = `${stem} (${count})${ending}`;
    taken.add(free.toLowerCase());
    return free;
  };
}
