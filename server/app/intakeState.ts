import type { Config } from '../config.ts';
import type { DoorName, IntakeDoor, IntakeState } from '../contract/intake.ts';
import type { Status } from '../contract/settings.ts';
import { isoTime } from '../telemetry/presentPosition.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';
import type { Door, Intake } from './intake.ts';
import type { IntakeSwitch } from './intakeSwitch.ts';
import { reachableAddresses } from './reachableAddresses.ts';
import { startRefusal } from './startRefusal.ts';

/** What `GET /api/v1/intake` tells dealers. */
export function intakeState(parts: {
  intake: Pick<Intake, 'doors' | 'clocks'>;
  opening: IntakeSwitch;
  mediaAddress: Config['mediaAddress'];
  vehicles: Pick<Vehicles, 'byTerminal'>;
}): IntakeState {
  const { intake, opening, mediaAddress, vehicles } = parts;
  const { doors, clocks } = intake;
  const mediaPort = mediaAddress?.port ?? doors.jt1078?.listener.port;
  return {
    open: opening.isOpen(),
    overridden: opening.isOverridden,
    fault: opening.fault(),
    addresses: reachableAddresses(opening.host()),
    media_address:
      mediaAddress === null || mediaPort === undefined ? null : { host: mediaAddress.host, port: mediaPort },
    doors: (Object.entries(doors) as [DoorName, Door][]).map(([name, door]) =>
      presentDoor(name, door, opening.isOpen()),
    ),
    clocks: clocks.suggestions().flatMap(({ terminal_id, clock_suggestion_s }) => {
      const vehicle = vehicles.byTerminal(terminal_id);
      if (vehicle === undefined) return [];
      const { vehicle_id, clock_offset_s } = vehicle;
      return [{ vehicle_id, terminal_id: vehicle.terminal_id, clock_offset_s, clock_suggestion_s }];
    }),
  };
}

function presentDoor(name: DoorName, door: Door, isOpen: boolean): IntakeDoor {
  const fault = door.listener.fault();
  return {
    name,
    protocol: door.protocol,
    ...doorStatus(door),
    transports: [...door.transports],
    open: isOpen && fault === null,
    fault: fault === null ? null : (startRefusal(fault) ?? fault.message),
    turned_away: door.watch === null ? null : { ...door.watch.turnedAway.counts() },
  };
}

/** A door as the status tells of it. */
export function doorStatus({ listener, counts }: Door): NonNullable<Status['intake']['osmand']> {
  const { last_message_ms, ...rest } = counts;
  return {
    ...rest,
    port: listener.port,
    host: listener.host,
    connections: listener.connections(),
    last_message_at: last_message_ms === null ? null : isoTime(last_message_ms),
  };
}
