import type { Cause } from '../contract/causes.ts';
import { causeOf, detailOf } from '../contract/causeTexts.ts';
import type { Config } from '../config.ts';
import type { ListenerName, IntakeListener, IntakeState } from '../contract/intake.ts';
import type { Status } from '../contract/settings.ts';
import { isoTime } from '../telemetry/presentPosition.ts';
import { reachableAddresses, type Machine } from '../http/machineAddresses.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';
import type { ListenerInfo, Intake } from './intake.ts';
import type { IntakeBinding } from './intakeBinding.ts';
import { listenError } from './startupError.ts';

/** What `GET /api/v1/intake` returns to dealers. */
export function intakeState(deps: {
  intake: Pick<Intake, 'listeners' | 'clocks'>;
  opening: IntakeBinding;
  machine: Machine;
  mediaAddress: Config['mediaAddress'];
  vehicles: Pick<Vehicles, 'byTerminal'>;
}): IntakeState {
  const { intake, opening, machine, mediaAddress, vehicles } = deps;
  const { listeners, clocks } = intake;
  const mediaPort = mediaAddress?.port ?? listeners.jt1078?.listener.port;
  return {
    open: opening.isOpen(),
    overridden: opening.isOverridden,
    ...errorOf(opening.fault()),
    addresses: reachableAddresses(opening.host(), machine),
    media_address:
      mediaAddress === null || mediaPort === undefined ? null : { host: mediaAddress.host, port: mediaPort },
    listeners: (Object.entries(listeners) as [ListenerName, ListenerInfo][]).map(([name, listenerName]) =>
      presentListener(name, listenerName, opening.isOpen()),
    ),
    clock_offsets: clocks.suggestions().flatMap(({ terminal_id, suggested_clock_offset_s }) => {
      const vehicle = vehicles.byTerminal(terminal_id);
      if (vehicle === undefined) return [];
      const { vehicle_id, clock_offset_s } = vehicle;
      return [{ vehicle_id, terminal_id: vehicle.terminal_id, clock_offset_s, suggested_clock_offset_s }];
    }),
  };
}

function presentListener(name: ListenerName, listenerName: ListenerInfo, isOpen: boolean): IntakeListener {
  const fault = listenerName.listener.fault();
  return {
    name,
    protocol: listenerName.protocol,
    ...listenerStatus(listenerName),
    transports: [...listenerName.transports],
    open: isOpen && fault === null,
    ...errorOf(
      fault === null ? null : [listenError(fault) ?? causeOf('verbatim', { detail: fault.message })],
    ),
    wrong_port: listenerName.wrongPorts
      .list()
      .map(({ last_ms, ...rest }) => ({ ...rest, last_at: isoTime(last_ms) })),
    rejections: listenerName.watch === null ? null : { ...listenerName.watch.rejections.counts() },
  };
}

/** A listener as the status shows it. */
export function listenerStatus({ listener, counts }: ListenerInfo): NonNullable<Status['intake']['osmand']> {
  const { last_message_ms, ...rest } = counts;
  return {
    ...rest,
    port: listener.port,
    host: listener.host,
    connections: listener.connections(),
    last_message_at: last_message_ms === null ? null : isoTime(last_message_ms),
  };
}

const errorOf = (causes: Cause[] | null) =>
  causes === null ? { error: null } : { error: detailOf(causes), error_causes: causes };
