import { expect, it } from 'vitest';
import { settingsFields } from '../../../server/contract/settings.ts';
import { fieldsOfIncidents, formOfIncidents } from '../../../renderer/settings/IncidentSettings.tsx';

it('the reasons and checklists of incidents are typed line by line, and blank lines are none', () => {
  const fields = settingsFields.parse({});
  const form = formOfIncidents(fields);
  expect(fieldsOfIncidents(form)).toEqual({
    sos_opens_incident: fields.sos_opens_incident,
    incident_close_reasons: fields.incident_close_reasons,
    incident_checklists: fields.incident_checklists,
  });
  expect(
    fieldsOfIncidents({
      ...form,
      reasons: ' Resolved \n\nTest',
      lists: [{ kind: 'none', items: 'Call the driver\n  \nWrite it down ' }],
    }),
  ).toMatchObject({
    incident_close_reasons: ['Resolved', 'Test'],
    incident_checklists: [{ event_kind: null, items: ['Call the driver', 'Write it down'] }],
  });
});
