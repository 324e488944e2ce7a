import { Fragment } from 'react';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { formatNumber } from '../format/numbers.ts';
import { useT } from '../i18n/useT.ts';
import type { LivePosition } from '../telemetry/positionStore.ts';

/** What the terminal says of itself and the vehicle; what it does not say is left out. */
export function TerminalFacts({ vehicle, live }: { vehicle: Vehicle; live: LivePosition | undefined }) {
  const t = useT();
  const last = live?.last;
  const power = last?.attributes['power'] ?? last?.attributes['power_v'];
  const fix = [
    last?.satellites == null ? null : t('fact.satellites', { count: last.satellites }),
    last?.hdop == null ? null : t('fact.hdop', { value: formatNumber(last.hdop, 1) }),
  ].filter((it) => it !== null);
  const facts: [string, string | null][] = [
    [t('fact.ignition'), last?.ignition == null ? null : last.ignition ? t('fact.on') : t('fact.off')],
    [t('fact.supply'), typeof power === 'number' ? `${formatNumber(power, 1)} V` : null],
    [t('fact.battery'), last?.battery_pct == null ? null : `${formatNumber(last.battery_pct)} %`],
    [t('fact.odometer'), last?.odometer_m == null ? null : `${formatNumber(last.odometer_m / 1_000)} km`],
    [t('fact.altitude'), last?.altitude_m == null ? null : `${formatNumber(last.altitude_m)} m`],
    [t('fact.fix'), fix.length === 0 ? null : fix.join(', ')],
    [
      t('fact.limit'),
      vehicle.speed_limit_kmh === null ? null : `${formatNumber(vehicle.speed_limit_kmh)} km/h`,
    ],
    [t('fact.phone'), vehicle.phone],
    [t('fact.vin'), vehicle.vin],
    [t('fact.terminal'), vehicle.terminal_id],
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
