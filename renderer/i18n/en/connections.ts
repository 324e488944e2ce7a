/** Messages of connections to hosts elsewhere. */
export const connectionsTexts = {
  'connections.address': 'Address',
  'connections.address_about': 'As the host prints it at its start. Without a port it is 8471.',
  'connections.asking': 'Connecting to {{host}}',
  'connections.back': 'Back',
  'connections.changed':
    '{{host}} shows another certificate than the one that you confirmed. Nothing was sent. The host may have renewed its certificate, or another machine answers in its place: compare the new fingerprint with the one that the host prints.',
  'connections.connect': 'Connect',
  'connections.connect_to': 'Connect to {{name}}',
  'connections.different':
    'The server and this program are of different versions: some functions are refused or not shown.',
  'connections.fingerprint': 'SHA-256 fingerprint',
  'connections.fingerprint_before': 'Confirmed SHA-256 fingerprint',
  'connections.fingerprint_now': 'New SHA-256 fingerprint',
  'connections.found': '{{depot}} at {{host}}, Fleetdeck {{version}}.',
  'connections.found_hosts': 'Hosts on this network',
  'connections.found_none':
    'No host has announced itself on this network. A host does so when it is started with --announce.',
  'connections.insecure':
    'The connection to {{host}} is not encrypted: passwords, positions and videos can be read on the way.',
  'connections.insecure_confirm': 'Connect without encryption',
  'connections.invalid': 'The address {{reason}}.',
  'connections.look': 'Look for hosts',
  'connections.looking': 'Looking for hosts on this network',
  'connections.name': 'Name',
  'connections.newer':
    'The server is newer than this program: what this console does not know yet is not shown.',
  'connections.older': 'The server is older than this program: functions that it does not have are refused.',
  'connections.open': 'Connect to another host…',
  'connections.open_anyway': 'Open anyway',
  'connections.own': 'This computer',
  'connections.own_depot': 'Run a depot on this computer',
  'connections.own_depot_about':
    'Without it, Fleetdeck starts with the last connection, and terminals cannot send here. Takes effect at the next start.',
  'connections.own_ends': 'Running; off from the next start',
  'connections.own_off': 'Off',
  'connections.own_runs': 'Running',
  'connections.own_starts': 'Off; runs from the next start',
  'connections.reconnect': 'Reconnect',
  'connections.remote': 'Connected to {{host}}',
  'connections.remove': 'Remove',
  'connections.remove_confirm': 'Remove the connection',
  'connections.rename': 'Rename',
  'connections.show': 'Open',
  'connections.shown': 'Shown here',
  'connections.title': 'Hosts',
  'connections.trust': 'The fingerprints are equal',
  'connections.trust_new': 'Confirm the new certificate',
  'connections.unencrypted': 'not encrypted',
  'connections.unreachable': '{{host}} cannot be connected to: {{reason}}.',
  'connections.untrusted':
    'No authority vouches for the certificate of {{host}}. Compare its fingerprint with the one that the host prints at its start; connect only if they are equal.',
} as const;
