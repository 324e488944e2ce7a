/** Connections in German. */
export const texts: Readonly<Record<string, string>> = {
  'connections.address': 'Adresse',
  'connections.address_about': 'Wie der Server sie beim Start ausgibt. Ohne Port gilt 8471.',
  'connections.asking': 'Verbinde mit {{host}}',
  'connections.back': 'Zurück',
  'connections.changed':
    '{{host}} zeigt ein anderes Zertifikat als das von Ihnen bestätigte. Es wurde nichts gesendet. Entweder hat der Server sein Zertifikat erneuert, oder ein anderer Rechner antwortet an seiner Stelle: Vergleichen Sie den neuen Fingerabdruck mit dem, den der Server ausgibt.',
  'connections.connect': 'Verbinden',
  'connections.connect_to': 'Mit {{name}} verbinden',
  'connections.different':
    'Server und Programm haben verschiedene Versionen: Einige Funktionen werden abgelehnt oder nicht angezeigt.',
  'connections.fingerprint': 'SHA-256-Fingerabdruck',
  'connections.fingerprint_before': 'Bestätigter SHA-256-Fingerabdruck',
  'connections.fingerprint_now': 'Neuer SHA-256-Fingerabdruck',
  'connections.found': '{{depot}} auf {{host}}, Fleetdeck {{version}}.',
  'connections.found_hosts': 'Server in diesem Netzwerk',
  'connections.found_none':
    'In diesem Netzwerk hat sich kein Server angekündigt. Ein Server tut dies, wenn er mit --announce gestartet wird.',
  'connections.insecure':
    'Die Verbindung zu {{host}} ist nicht verschlüsselt: Passwörter, Positionen und Videos können unterwegs mitgelesen werden.',
  'connections.insecure_confirm': 'Ohne Verschlüsselung verbinden',
  'connections.invalid': 'Die Adresse {{reason}}.',
  'connections.look': 'Server suchen',
  'connections.looking': 'Server in diesem Netzwerk werden gesucht',
  'connections.name': 'Name',
  'connections.newer':
    'Der Server ist neuer als dieses Programm: Was diese Konsole noch nicht kennt, wird nicht angezeigt.',
  'connections.older':
    'Der Server ist älter als dieses Programm: Funktionen, die er nicht hat, werden abgelehnt.',
  'connections.open': 'Mit anderem Server verbinden …',
  'connections.open_anyway': 'Trotzdem öffnen',
  'connections.own': 'Dieser Computer',
  'connections.own_depot': 'Depot auf diesem Computer betreiben',
  'connections.own_depot_about':
    'Ohne dies startet Fleetdeck mit der letzten Verbindung, und Terminals können nicht hierher senden. Gilt ab dem nächsten Start.',
  'connections.own_ends': 'Läuft; ab dem nächsten Start aus',
  'connections.own_off': 'Aus',
  'connections.own_runs': 'Läuft',
  'connections.own_starts': 'Aus; läuft ab dem nächsten Start',
  'connections.reconnect': 'Neu verbinden',
  'connections.remote': 'Verbunden mit {{host}}',
  'connections.remove': 'Entfernen',
  'connections.remove_confirm': 'Verbindung entfernen',
  'connections.rename': 'Umbenennen',
  'connections.show': 'Öffnen',
  'connections.shown': 'Hier angezeigt',
  'connections.title': 'Server',
  'connections.trust': 'Die Fingerabdrücke sind gleich',
  'connections.trust_new': 'Neues Zertifikat bestätigen',
  'connections.unencrypted': 'nicht verschlüsselt',
  'connections.unreachable': 'Keine Verbindung zu {{host}}: {{reason}}.',
  'connections.untrusted':
    'Keine Zertifizierungsstelle bürgt für das Zertifikat von {{host}}. Vergleichen Sie den Fingerabdruck mit dem, den der Server beim Start ausgibt; nur verbinden, wenn beide gleich sind.',
};
