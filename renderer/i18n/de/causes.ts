/** The server's own sentences in German. */
export const texts: Readonly<Record<string, string>> = {
  'cause.address.credentials': 'enthält einen Benutzernamen oder ein Passwort',
  'cause.address.hidden_ipv4': 'verbirgt eine IPv4-Adresse',
  'cause.address.link_local': 'ist eine Link-Local-Adresse',
  'cause.address.metadata': 'ist ein Metadatendienst einer Cloud',
  'cause.address.multicast': 'ist eine Multicast-Adresse',
  'cause.address.own': 'ist eine Adresse des Servers selbst',
  'cause.address.private': 'gehört zu einem privaten Netz',
  'cause.address.reserved': 'ist eine Broadcast- oder reservierte Adresse',
  'cause.address.unspecified': 'ist eine unbestimmte Adresse',
  'cause.address.unusual': 'ist ungewöhnlich geschrieben: {{address}} schreiben',
  'cause.backup.cancelled': 'Die Sicherung wurde abgebrochen.',
  'cause.backup.disk_full': 'Die Festplatte des Sicherungsordners {{folder}} ist voll.',
  'cause.backup.failed': 'Die Sicherung in {{folder}} ist fehlgeschlagen: {{reason}}',
  'cause.backup.no_folder': 'Es ist kein Sicherungsordner festgelegt.',
  'cause.backup.no_space': 'Die Sicherung braucht {{needed_mb}} MB in {{folder}}, frei sind {{free_mb}} MB.',
  'cause.backup.not_finished': 'Die Sicherung von {{due}} ist noch nicht fertig.',
  'cause.backup.not_made': 'Die Sicherung von {{due}} wurde nicht erstellt:',
  'cause.backup.running': 'Es läuft bereits eine Sicherung.',
  'cause.body.too_large': 'Die Daten sind größer, als dieser Vorgang erlaubt.',
  'cause.camera.profile_exists': 'Das Fahrzeug hat schon ein Videoprofil.',
  'cause.command.ended': 'Der Befehl ist schon abgeschlossen.',
  'cause.command.sent': 'Der Befehl wurde schon gesendet.',
  'cause.delivery.not_approved': 'Nicht gesendet: Ein Administrator muss den Empfänger freigeben.',
  'cause.driver.card_taken':
    'Die Karte {{card}} gehört schon zum Fahrer {{driver}}: Sie dort zuerst beenden.',
  'cause.driver.card_taken_elsewhere':
    'Die Karte {{card}} gehört schon zu einem anderen Fahrer: Sie dort zuerst beenden.',
  'cause.driver.external_id_taken': 'Die externe ID {{external_id}} gehört schon zum Fahrer {{driver}}.',
  'cause.driver.external_id_taken_elsewhere':
    'Die externe ID {{external_id}} gehört schon zu einem anderen Fahrer.',
  'cause.driver.other_groups': 'Dieser Fahrer ist auch in Gruppen, die nicht Ihre sind.',
  'cause.driver.purge_dealer': 'Die Daten eines Fahrers dürfen nur Administratoren löschen.',
  'cause.escalation.nobody': 'für diese Kanäle ist niemand genannt',
  'cause.escalation.step_order': 'liegt nicht nach der Stufe davor',
  'cause.escalation.too_many': 'Zu viele Meldungen eskalierten gleichzeitig.',
  'cause.folder.in_data':
    'Der Ordner {{folder}} liegt im Datenordner: einen auf einer anderen Festplatte wählen.',
  'cause.folder.missing': 'Der Ordner {{folder}} existiert nicht, oder seine Festplatte ist nicht verbunden.',
  'cause.folder.not_a_folder': '{{folder}} ist kein Ordner.',
  'cause.folder.not_absolute': 'Der Ordner {{folder}} ist kein absoluter Pfad.',
  'cause.folder.not_written': 'In den Ordner {{folder}} kann nicht geschrieben werden: {{reason}}.',
  'cause.geofence.crosses_itself':
    'die Seite ab hier kreuzt die Seite nach Ecke {{corner}} desselben Rings bei {{lat}}, {{lon}}',
  'cause.geofence.crosses_ring':
    'die Seite ab hier kreuzt Ring {{ring}}, die Seite nach Ecke {{corner}}, bei {{lat}}, {{lon}}',
  'cause.geofence.encloses_nothing': 'umschließt nichts: Alle Ecken liegen auf einer Linie',
  'cause.geofence.for_every_vehicle': 'ohne eine Ihrer Gruppen würde der Geofence für alle Fahrzeuge gelten',
  'cause.geofence.hole_outside': 'ist ein Loch außerhalb des äußeren Rings',
  'cause.geofence.in_a_rule': 'Eine Regel verwendet ihn.',
  'cause.geofence.in_rule': 'Die Regel {{rule}} verwendet diesen Geofence.',
  'cause.geofence.indexes_full':
    'die Indizes aller Geofences bräuchten {{bytes}} Bytes, erlaubt sind höchstens {{most}}',
  'cause.geofence.no_shape': 'fehlt oder ist keine Form eines Geofence',
  'cause.geofence.not_monitored': 'wird nicht überwacht:',
  'cause.geofence.other_groups': 'Dieser Geofence gilt auch für Fahrzeuge außerhalb Ihrer Gruppen.',
  'cause.geofence.parts_overlap':
    'hat Teile, die übereinander liegen: {{sides}} Seiten an einem Ort, erlaubt sind höchstens {{most}}',
  'cause.geofence.ring_open': 'ist nicht wieder die erste Ecke: Der Ring ist nicht geschlossen',
  'cause.geofence.three_corners': 'mindestens drei verschiedene Ecken sind nötig',
  'cause.geofence.too_dense':
    'hat {{sides}} Seiten nebeneinander bei {{lat}}, {{lon}}, erlaubt sind höchstens {{most}}',
  'cause.geofence.too_many_corners': 'hat {{corners}} Ecken, erlaubt sind höchstens {{most}}',
  'cause.geofence.too_many_here':
    'liegt, wo zu viele Geofences übereinander liegen: Bei {{count}} Geofences sind an einem Ort {{limit}} Seitenzugriffe erlaubt (je {{each}} und die Seiten), dieser braucht {{reads}}',
  'cause.geofence.too_wide':
    'reicht über mehr als 180 Längengrade: am 180. Meridian in ein MultiPolygon teilen',
  'cause.geofence.touches_itself': 'berührt sich selbst bei {{lat}}, {{lon}}',
  'cause.geofence.touches_ring': 'berührt Ring {{ring}} bei {{lat}}, {{lon}}',
  'cause.geofence.turns_back': 'läuft auf sich selbst zurück bei {{lat}}, {{lon}}',
  'cause.geofence.two_points': 'zwei verschiedene Punkte sind nötig',
  'cause.group.in_geofence': 'Der Geofence {{geofence}} gilt für diese Gruppe: Sie dort zuerst herausnehmen.',
  'cause.group.name_taken': 'Eine Gruppe {{name}} gibt es schon.',
  'cause.group.none_of_yours': 'keine Ihrer Gruppen ist dabei',
  'cause.health.channel':
    '{{channel}}: Die letzten {{count}} Nachrichten wurden nicht zugestellt: {{reason}}',
  'cause.health.clock_back': 'Die Uhr dieses Rechners wurde um {{seconds}} s zurückgestellt.',
  'cause.health.clock_forward': 'Die Uhr dieses Rechners wurde um {{seconds}} s vorgestellt.',
  'cause.health.disk_full': 'Die Festplatte mit dem Datenordner ist voll.',
  'cause.health.disk_low':
    'Am Ort des Datenordners sind {{free}} frei, weniger als die Reserve von {{reserve}}: Es wird kein Video geladen.',
  'cause.health.incidents_full':
    '{{most}} Vorfälle sind nicht geschlossen: Alarme eröffnen keine weiteren, außer bei SOS. Einige schließen.',
  'cause.health.intake_silent': '{{due}} Terminals waren fällig, keines hat etwas gesendet.',
  'cause.health.more_reports': 'Und {{count}} weitere.',
  'cause.health.report': '{{name}}:',
  'cause.health.restored': 'Aus einer Sicherung gelesen und noch nicht bestätigt: {{files}}.',
  'cause.health.secrets':
    'Für einen anderen Benutzer oder Rechner verschlüsselt und neu einzugeben: {{names}}.',
  'cause.health.slept': 'Der Server lief von {{from}} bis {{to}} nicht: Nichts wurde empfangen.',
  'cause.health.unresponsive': 'Der Server hat {{seconds}} s lang niemandem geantwortet.',
  'cause.import.more_errors': 'hat {{count}} weitere Fehler',
  'cause.incident.alarm_held': 'Der Alarm gehört zu Vorfall {{number}}.',
  'cause.incident.closed': 'Der Vorfall ist geschlossen und muss zuerst wieder geöffnet werden.',
  'cause.incident.closed_already': 'Der Vorfall ist schon geschlossen.',
  'cause.incident.data_deleted': 'Was das Bild zeigt, wird gerade gelöscht.',
  'cause.incident.may_not_handle': 'darf diesen Vorfall nicht bearbeiten',
  'cause.incident.most_alarms': 'Höchstens {{most}} Alarme eines Vorfalls.',
  'cause.incident.most_clips': 'Höchstens {{most}} Clips eines Vorfalls.',
  'cause.incident.most_entries': 'Höchstens {{most}} Einträge eines Vorfalls.',
  'cause.incident.most_note_chars': 'Höchstens {{most}} Zeichen in den Notizen eines Vorfalls.',
  'cause.incident.most_notes': 'Höchstens {{most}} Notizen eines Vorfalls.',
  'cause.incident.most_snapshot_bytes': 'Höchstens {{most}} Bytes der Bilder eines Vorfalls.',
  'cause.incident.most_snapshots': 'Höchstens {{most}} Bilder eines Vorfalls.',
  'cause.incident.open': 'Der Vorfall ist nicht geschlossen.',
  'cause.listener.no_address': 'Dieser Rechner hat keine Adresse {{address}}.',
  'cause.listener.port_denied': 'Den Port {{port}} darf dieser Systembenutzer nicht benutzen.',
  'cause.listener.port_in_use': 'Den Port {{port}} benutzt ein anderes Programm.',
  'cause.listener.shut': '{{name}} ist geschlossen:',
  'cause.listener.stays': 'Empfang und Einstellungen bleiben, wie sie waren.',
  'cause.login.busy': 'Zu viele Anmeldungen zurzeit. Nächster Versuch in {{seconds}} s.',
  'cause.mail.certificate': 'Dem Zertifikat des Mailservers wird nicht vertraut: {{reason}}',
  'cause.mail.credentials': 'Der Mailserver akzeptiert Benutzername oder Passwort nicht: {{reply}}',
  'cause.mail.deferred': 'Der Mailserver hat die Nachricht zurückgestellt: {{reply}}',
  'cause.mail.none': 'Es ist kein Mailserver eingerichtet.',
  'cause.mail.rejected': 'Der Mailserver hat die Nachricht abgelehnt: {{reply}}',
  'cause.mail.taken': 'Der Mailserver hat die Nachricht angenommen.',
  'cause.mail.too_late': 'Der Mailserver hat die Nachricht nicht innerhalb von {{seconds}} s angenommen.',
  'cause.mail.unreachable': 'Der Mailserver ist nicht erreichbar: {{reason}}',
  'cause.map.area_outside': 'liegt außerhalb des Bereichs der Datei',
  'cause.map.checking': 'Alle Kacheln sind da, die Datei wird geprüft.',
  'cause.map.estimating': 'Es wird schon eine andere Schätzung erstellt.',
  'cause.map.file_known': 'Diese Datei ist schon eine Karte.',
  'cause.map.no_space':
    'Die Datei braucht {{needed_mb}} MB, die Festplatte hat außer der Reserve {{free_mb}} MB.',
  'cause.map.part_under_way': 'Ein anderer Teil dieses Uploads wird gerade übertragen.',
  'cause.map.too_costly':
    'Die Datei ist keine Karte, die gezeichnet werden kann: Sie zu lesen ist zu aufwendig.',
  'cause.period.most_days': 'mehr als {{days}} Tage nach dem Anfang',
  'cause.period.most_vehicle_days': 'mehr als {{days}} Tage aller Fahrzeuge zusammen',
  'cause.position.before_1980': 'hat eine Zeit vor 1980',
  'cause.position.in_future': 'hat eine Zeit in der Zukunft',
  'cause.position.no_fix': 'hat keinen GPS-Fix: 0, 0',
  'cause.position.no_flag': '{{field}} „{{text}}“ ist weder an noch aus',
  'cause.position.no_number': '{{field}} „{{text}}“ ist keine Zahl',
  'cause.position.no_time': 'hat keine Zeit',
  'cause.position.not_valid': 'hat keine gültige Position: {{lat}}, {{lon}}',
  'cause.position.out_of_range': '{{field}} {{value}} liegt nicht zwischen {{min}} und {{max}}',
  'cause.position.time_unreadable': 'die Zeit „{{text}}“ ist nicht lesbar',
  'cause.position.time_unreadable_csv':
    'die Zeit „{{text}}“ ist nicht lesbar: als 2026-11-24 13:05:00 schreiben',
  'cause.quota.api_tokens':
    'Höchstens {{most}} API-Token: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.api_tokens_of_user':
    'Höchstens {{most}} API-Token eines Benutzers: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.assignments':
    'Höchstens {{most}} Zuordnungen von Fahrern zu Fahrzeugen: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.assignments_of_user':
    'Höchstens {{most}} Zuordnungen, die ein Benutzer hinzugefügt hat: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.corners':
    'Höchstens {{most}} Ecken von Geofences: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.corners_of_user':
    'Höchstens {{most}} Ecken der Geofences, die ein Benutzer hinzugefügt hat: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.driver_groups':
    'Höchstens {{most}} Zugehörigkeiten von Fahrern zu Gruppen: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.drivers':
    'Höchstens {{most}} Fahrer, auch archivierte: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.drivers_of_user':
    'Höchstens {{most}} Fahrer, die ein Benutzer hinzugefügt hat, auch archivierte: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.geofence_groups':
    'Höchstens {{most}} Gruppen, für die Geofences gelten: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.geofences': 'Höchstens {{most}} Geofences: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.geofences_of_user':
    'Höchstens {{most}} Geofences, die ein Benutzer hinzugefügt hat: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.groups': 'Höchstens {{most}} Gruppen: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.incidents':
    'Höchstens {{most}} nicht geschlossene Vorfälle: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.incidents_of_user':
    'Höchstens {{most}} nicht geschlossene Vorfälle, die ein Benutzer oder seine Regeln eröffnet haben: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.map_regions':
    'Höchstens {{most}} unfertige Downloads von Regionen: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.map_uploads':
    'Höchstens {{most}} unfertige Uploads von Kartendateien: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.maps': 'Höchstens {{most}} Kartendateien: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.profiles':
    'Höchstens {{most}} Videoprofile: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.report_jobs':
    'Höchstens {{most}} unfertige Berichte: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.report_jobs_of_user':
    'Höchstens {{most}} unfertige Berichte eines Benutzers: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.report_schedules':
    'Höchstens {{most}} geplante Berichte: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.report_schedules_of_user':
    'Höchstens {{most}} geplante Berichte eines Benutzers: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.rule_names':
    'Höchstens {{most}} Fahrzeuge, Gruppen und Geofences in Regeln: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.rule_names_of_user':
    'Höchstens {{most}} Fahrzeuge, Gruppen und Geofences in den Regeln eines Benutzers: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.rules': 'Höchstens {{most}} Regeln: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.rules_of_user':
    'Höchstens {{most}} Regeln eines Benutzers: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.shares':
    'Höchstens {{most}} Links zu Fahrzeugen: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.shares_of_user':
    'Höchstens {{most}} Links eines Benutzers zu Fahrzeugen: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.shares_of_vehicle':
    'Höchstens {{most}} Links zu einem Fahrzeug: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.snapshot_bytes':
    'Höchstens {{most}} Bytes an Bildern von Vorfällen: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.snapshot_bytes_of_user':
    'Höchstens {{most}} Bytes an Bildern, die ein Benutzer an Vorfälle angehängt hat: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.snapshots':
    'Höchstens {{most}} Bilder an Vorfällen: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.snapshots_of_user':
    'Höchstens {{most}} Bilder, die ein Benutzer an Vorfälle angehängt hat: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.snoozes':
    'Höchstens {{most}} pausierte Alarme: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.snoozes_of_user':
    'Höchstens {{most}} pausierte Alarme eines Benutzers: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.user_groups':
    'Höchstens {{most}} Zugehörigkeiten von Benutzern zu Gruppen: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.users': 'Höchstens {{most}} Benutzer: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.vehicle_attributes':
    'Höchstens {{most}} Zeichen in den Attributen der Fahrzeuge: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.vehicle_attributes_of_user':
    'Höchstens {{most}} Zeichen in den Attributen der Fahrzeuge, die ein Benutzer hinzugefügt hat: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.vehicle_groups':
    'Höchstens {{most}} Zugehörigkeiten von Fahrzeugen zu Gruppen: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.vehicles':
    'Höchstens {{most}} Fahrzeuge, auch archivierte: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.vehicles_of_user':
    'Höchstens {{most}} Fahrzeuge, die ein Benutzer hinzugefügt hat, auch archivierte: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.waiting_commands':
    'Höchstens {{most}} Befehle, die auf ein Terminal warten: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.quota.waiting_commands_of_user':
    'Höchstens {{most}} wartende Befehle eines Benutzers: {{there}} vorhanden, {{more}} weitere angefordert.',
  'cause.recipient.approved': '{{address}} ist schon freigegeben.',
  'cause.report.access_changed': 'Ihre Rechte haben sich seitdem geändert: den Bericht neu ausführen.',
  'cause.report.not_allowed': 'Wer diesen Bericht angefordert hat, darf ihn nicht mehr ausführen.',
  'cause.report.result_too_large': 'Das Ergebnis hat {{bytes}} Bytes, höchstens {{most}} werden aufbewahrt.',
  'cause.report.server_stopped': 'Der Server wurde jedes Mal beendet, während dieser Bericht lief.',
  'cause.right.dealer': 'Das dürfen nur Administratoren.',
  'cause.right.missing': 'Dafür ist das Recht {{right}} nötig.',
  'cause.rule.group_deleted': 'Die letzte Gruppe der Regel, {{name}}, wurde gelöscht.',
  'cause.rule.named_deleted': 'Das Letzte, wofür die Regel galt, wurde gelöscht.',
  'cause.rule.not_yours': 'Diese Regel gehört Ihnen nicht.',
  'cause.rule.offline_min': 'mindestens {{seconds}} s bei Regeln für „Offline“',
  'cause.rule.owner_deleted': 'Der Besitzer, {{name}}, wurde gelöscht.',
  'cause.rule.scope_empty': 'es ist kein Fahrzeug und keine Gruppe gewählt',
  'cause.rule.vehicle_deleted': 'Das letzte Fahrzeug der Regel, {{name}}, wurde gelöscht.',
  'cause.rule.vehicles_deleted': 'Das letzte Fahrzeug der Regel wurde gelöscht.',
  'cause.schedule.not_allowed': 'Der Besitzer darf keine Berichte mehr planen.',
  'cause.schedule.not_approved': '{{to}}: Ein Administrator muss diesen Empfänger freigeben.',
  'cause.schedule.not_sent': '{{to}}:',
  'cause.schedule.owner_gone':
    'Der Besitzer wurde gelöscht oder gesperrt, oder das API-Token, das den Plan angelegt hat, wurde widerrufen.',
  'cause.schedule.running': 'Er läuft schon.',
  'cause.schedule.sent': 'Gesendet an {{to}}.',
  'cause.schedule.too_large': 'Die Datei ist zu groß für E-Mail: in einen Ordner schreiben lassen.',
  'cause.schedule.written': 'Geschrieben nach {{path}}.',
  'cause.settings.held_by_option': '{{setting}} ist durch eine Startoption festgelegt.',
  'cause.shift.accepted_by_another': 'Ihre Übergabe nimmt ein anderer Benutzer an.',
  'cause.shift.ended': 'Die Schicht ist schon beendet.',
  'cause.shift.handover_stays':
    'Die Schicht ist beendet: Ihre Übergabe bleibt offen, bis sie angenommen wird.',
  'cause.shift.may_not_be_on_duty': 'darf keinen Dienst haben',
  'cause.shift.meant_for': 'Die Übergabe ist für {{user}} bestimmt.',
  'cause.shift.most_notes': 'Eine Schicht fasst {{most}} Notizen mit zusammen {{chars}} Zeichen.',
  'cause.shift.most_offered': '{{most}} Ihrer Übergaben warten schon auf Annahme.',
  'cause.shift.no_handover': 'Es ist keine Übergabe offen.',
  'cause.shift.no_handover_any_more': 'Die Schicht ist beendet: Es kann nichts mehr übergeben werden.',
  'cause.shift.of_another': 'Das ist die Schicht eines anderen Benutzers.',
  'cause.shift.on_duty': 'Sie sind schon im Dienst.',
  'cause.shift.over': 'Die Schicht ist vorbei: Die Notiz zur laufenden hinzufügen.',
  'cause.shift.to_yourself': 'das sind Sie selbst',
  'cause.store.failed': 'Die Datenbank hat es nicht ausgeführt; nichts wurde gespeichert.',
  'cause.terminal.order_failed': 'Der Befehl ist dort fehlgeschlagen.',
  'cause.terminal.order_not_supported': 'Es unterstützt den Befehl nicht.',
  'cause.terminal.order_not_understood': 'Es versteht den Befehl nicht.',
  'cause.terminal.order_refused': 'Die Antwort war {{result}}.',
  'cause.test.desktop': 'Den Desktop-Kanal zeigt jede Konsole selbst an.',
  'cause.test.too_late': 'Keine Antwort innerhalb von {{seconds}} s.',
  'cause.token.name_taken': 'Sie haben schon ein API-Token mit dem Namen {{name}}.',
  'cause.token.not_owner': 'Ein API-Token darf nur sein Besitzer ändern.',
  'cause.user.last_dealer': 'Das ist der letzte aktive Administrator.',
  'cause.user.login_taken': 'Der Benutzername {{login}} ist vergeben.',
  'cause.vehicle.archived': 'Das Fahrzeug ist archiviert.',
  'cause.vehicle.in_no_group': 'Das Fahrzeug wäre dann in keiner Ihrer Gruppen.',
  'cause.vehicle.open_incidents':
    'Vorfälle dieses Fahrzeugs, die zuerst geschlossen werden müssen: {{open}}.',
  'cause.vehicle.other_groups': 'Dieses Fahrzeug ist auch in Gruppen, die nicht Ihre sind.',
  'cause.vehicle.purge_dealer': 'Die Daten eines Fahrzeugs dürfen nur Administratoren löschen.',
  'cause.vehicle.terminal_taken': 'Die Terminal-ID {{terminal}} gehört schon zu einem Fahrzeug.',
  'cause.vehicle.terminal_twice': 'Die Terminal-ID {{terminal}} kommt zweimal vor.',
  'cause.verbatim': '{{detail}}',
  'cause.video.no_channel': 'Das Fahrzeug hat keinen dieser Kanäle.',
  'cause.video.task_changed': 'Der Zustand der Anforderung hat sich inzwischen geändert.',
  'cause.webhook.address': 'Nicht erlaubt: Die Adresse',
  'cause.webhook.answered': 'Antwort: {{status}}.',
  'cause.webhook.certificate': 'Dem Zertifikat wird nicht vertraut.',
  'cause.webhook.no_connection': 'Keine Verbindung.',
  'cause.webhook.own_address': 'Das ist eine Adresse des Servers selbst.',
  'cause.webhook.redirect': 'Antwort: {{status}}; Weiterleitungen werden nicht verfolgt.',
  'cause.work.closed': 'Der Server wird beendet.',
  'cause.work.ended': 'Der Vorgang brach vorzeitig ab; er kann erneut gestartet werden.',
  'cause.work.out_of_memory': 'Dafür reicht der Arbeitsspeicher eines Aufrufs nicht: weniger anfordern.',
  'cause.work.store_failed': 'Die Datenbank konnte nicht gelesen werden.',
  'cause.work.too_long': 'Das dauert länger, als ein Aufruf darf: weniger anfordern.',
};
