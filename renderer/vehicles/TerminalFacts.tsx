import { Fragment } from 'react';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { numberText } from '../format/numbers.ts';
import { useText } from '../i18n/useText.ts';
import type { LivePosition } from '../telemetry/livePosition.ts';

/** What the terminal says of itself and the vehicle; what it does not say is left out. */
export function TerminalFacts({ vehicle, live }: { vehicle: Vehicle; live: LivePosition | undefined }) {
  const say = useText();
  const last = live?.last;
  const power = last?.attributes['power'] ?? last?.attributes['power_v'];
  const fix = [
    last?.satellites == null ? null : say('fact.satellites', { count: last.satellites }),
    last?.hdop == null ? null : say('fact.hdop', { value: numberText(last.hdop, 1) }),
  ].filter((it) => it !== null);
  const facts: [string, string | null][] = [
    [say('fact.ignition'), last?.ignition == null ? null : last.ignition ? say('fact.on') : say('fact.off')],
    [say('fact.supply'), typeof power === 'number' ? `${numberText(power, 1)} V` : null],
    [say('fact.battery'), last?.battery_pct == null ? null : `${numberText(last.battery_pct)} %`],
    [say('fact.odometer'), last?.odometer_m == null ? null : `${numberText(last.odometer_m / 1_000)} km`],
    [say('fact.altitude'), last?.altitude_m == null ? null : `${numberText(last.altitude_m)} m`],
    [say('fact.fix'), fix.length === 0 ? null : fix.join(', ')],
    [
      say('fact.limit'),
      vehicle.speed_limit_kmh === null ? null : `${numberText(vehicle.speed_limit_kmh)} km/h`,
    ],
    [say('fact.phone'), vehicle.phone],
    [say('fact.vin'), vehicle.vin],
    [say('fact.terminal'), vehicle.terminal_id],
  ];
  return (
    <dl className="vehicle-panel__section vehicle-panel__section--last facts">
      {facts.map(
        ([name, value]) =>
          value !== null &&
          value !== '' && (
            <Fragment key={name}>
              <dt className="quiet">{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}
