import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { incidentRoutes, type Incident } from '../../server/contract/incidents.ts';
import { fetchAllPages } from '../api/client.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Icon } from '../ui/Icon.tsx';
import { attempt, changeIncident } from './incidentActions.ts';
import { ownerText } from './incidentWords.ts';
import '../ui/MenuButton.css';

const NOBODY = 'nobody';

type Owners = readonly { user_id: string; name: string }[] | 'loading' | 'failed';

/** Who owns an incident, and to whom it can be handed; these are read when the menu is opened. */
export function OwnerMenu({ incident, disabled }: { incident: Incident; disabled: boolean }) {
  const app = useAppContext();
  const t = useT();
  const [owners, setOwners] = useState<Owners>('loading');
  const { incident_id, owner_id } = incident;
  const name = ownerText(incident, t);
  const read = () =>
    attempt(app, async () => {
      setOwners('loading');
      const found = await fetchAllPages((cursor) =>
        app.api.request(incidentRoutes.owners, { params: { incident_id }, query: { cursor } }),
      ).catch((error: unknown) => {
        setOwners('failed');
        throw error;
      });
      setOwners(found);
    });
  const known = typeof owners === 'string' ? [] : owners;
  const none = { loading: t('users.reading'), failed: t('users.failed') };
  const entries = [
    ...known.map((it) => ({ id: it.user_id, label: it.name })),
    ...(owner_id === null ? [] : [{ id: NOBODY, label: t('incident.release') }]),
  ].filter(({ id }) => id !== owner_id);
  return (
    <MenuTrigger onOpenChange={(isOpen) => isOpen && read()}>
      <Button
        className="incident__owner"
        aria-label={t('incident.owner_is', { owner: name })}
        isDisabled={disabled}
      >
        <span className="quiet">{t('incident.owner')}</span>
        <span className="strong ellipsis">{name}</span>
        <Icon of={ChevronDown} />
      </Button>
      <Popover className="popover" offset={4} placement="bottom start">
        <Menu
          className="menu"
          aria-label={t('incident.hand_to')}
          items={entries}
          renderEmptyState={() => (
            <span className="menu__item quiet" role="status">
              {typeof owners === 'string' ? none[owners] : t('incident.owners_none')}
            </span>
          )}
          onAction={(id) =>
            attempt(app, () => changeIncident(app, incident, { owner_id: id === NOBODY ? null : String(id) }))
          }
        >
          {(entry) => (
            <MenuItem id={entry.id} className="menu__item" textValue={entry.label}>
              {entry.label}
            </MenuItem>
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
