import type { Cause } from './causes.ts';
import { maxColumnName, maxFields, type UnreadableFile } from './csv.ts';
import { namesText } from './namesText.ts';
import { quotas, type QuotaName } from './quotas.ts';

type QuotaText = `At most {{most}} ${string}: there are {{there}}, and {{more}} more were asked for.`;
const quotaTexts = Object.fromEntries(
  Object.entries(quotas).map(([name, { of }]): [string, QuotaText] => [
    `quota.${name}`,
    `At most {{most}} ${of}: there are {{there}}, and {{more}} more were asked for.`,
  ]),
) as Record<`quota.${QuotaName}`, QuotaText>;

/** Causes in English, as a `detail` has them, by their codes. The console loads none of these. */
export const causeTexts = {
  verbatim: '{{detail}}',
  /** Each name of a list. */
  quoted: '“{{name}}”',
  ...quotaTexts,

  'backup.cancelled': 'The backup was cancelled.',
  'backup.disk_full': 'The disk of the backup folder {{folder}} is full.',
  'backup.failed': 'The backup into {{folder}} failed: {{reason}}',
  'backup.no_folder': 'No backup folder is set.',
  'backup.no_space': 'The backup needs {{needed_mb}} MB in {{folder}}, and {{free_mb}} MB are free.',
  'backup.not_finished': 'The backup of {{due}} is not finished.',
  'backup.not_made': 'The backup of {{due}} was not made.',
  'backup.running': 'A backup is being made already.',

  'folder.in_data': 'The folder {{folder}} lies in the data folder: choose one on another disk.',
  'folder.missing': 'The folder {{folder}} does not exist, or its disk is not connected.',
  'folder.not_absolute': 'The folder {{folder}} is not an absolute path.',
  'folder.not_a_folder': 'The folder {{folder}} is not a folder.',
  'folder.not_written': 'The folder {{folder}} cannot be written: {{reason}}.',

  'delivery.not_approved': 'Not sent: a dealer has to approve this recipient.',

  'health.channel': '{{channel}}: the last {{count}} messages were not delivered: {{reason}}',
  'health.clock_back': 'The clock of this machine was set back by {{seconds}} s.',
  'health.clock_forward': 'The clock of this machine was set forward by {{seconds}} s.',
  'health.disk_full': 'The disk that holds the data folder is full.',
  'health.disk_low':
    '{{free}} are free where the data folder lies, less than the reserve of {{reserve}}: no video is downloaded.',
  'health.incidents_full':
    '{{most}} incidents are not closed: alarms open no more, but for an SOS. Close some.',
  'health.intake_silent': '{{due}} terminals were due, and none has sent anything.',
  'health.more_reports': 'And {{count}} more.',
  'health.report': 'The scheduled report {{name}} failed.',
  'health.restored': 'Read from a backup, and not confirmed yet: {{files}}.',
  'health.secrets': 'Encrypted for another user or computer, and to be entered again: {{names}}.',
  'health.slept': 'The server did not run from {{from}} to {{to}}: nothing was received.',
  'health.unresponsive': 'The server answered nobody for {{seconds}} s.',

  'mail.certificate': 'The certificate of the mail server is not trusted: {{reason}}',
  'mail.credentials': 'The mail server does not accept the user name or password: {{reply}}',
  'mail.deferred': 'The mail server deferred it: {{reply}}',
  'mail.none': 'No mail server is set up.',
  'mail.rejected': 'The mail server rejected it: {{reply}}',
  'mail.taken': 'The mail server took it.',
  'mail.too_late': 'The mail server did not take it within {{seconds}} s.',
  'mail.unreachable': 'The mail server cannot be reached: {{reason}}',

  'rule.group_deleted': 'The last of its groups, {{name}}, was deleted.',
  'rule.named_deleted': 'The last of what it named was deleted.',
  'rule.owner_deleted': 'Its owner, {{name}}, was deleted.',
  'rule.vehicle_deleted': 'The last of its vehicles, {{name}}, was deleted.',
  'rule.vehicles_deleted': 'The last of its vehicles was deleted.',
  'rule.not_yours': 'This rule is not yours.',
  'rule.scope_empty': 'names no vehicle and no group',
  'rule.offline_min': 'is at least {{seconds}} for rules of kind offline',

  'test.desktop': 'The desktop channel is shown by each console itself.',
  'test.too_late': 'There was no answer within {{seconds}} s.',

  'webhook.address': 'Its address',
  'webhook.answered': 'It answered {{status}}.',
  'webhook.certificate': 'Its certificate is not trusted.',
  'webhook.no_connection': 'No connection.',
  'webhook.own_address': 'It is an address of this host itself.',
  'webhook.redirect': 'It answered {{status}}; redirects are not followed.',

  'schedule.not_allowed': 'Its owner may no longer schedule reports.',
  'schedule.not_approved': '{{to}}: a dealer has to approve this recipient.',
  'schedule.not_sent': 'Not sent to {{to}}.',
  'schedule.owner_gone': 'Its owner was deleted or blocked, or the API token that set it up was revoked.',
  'schedule.sent': 'Sent to {{to}}.',
  'schedule.too_large': 'The file is too large for email: have it written into a folder.',
  'schedule.written': 'Written to {{path}}.',
  'schedule.running': 'It is running already.',

  'work.closed': 'The host is shutting down.',
  'work.ended': 'The work ended before it was done; it may be asked for again.',
  'work.out_of_memory': 'This needs more memory than one call may take: ask for less.',
  'work.store_failed': 'The store could not be read.',
  'work.too_long': 'This takes longer than one call may take: ask for less.',

  'shell.connected_now': 'Connect to another host first.',
  'shell.connection_removed': 'The connection was removed.',
  'shell.most_connections': 'There are {{most}} connections already: remove one first.',
  'shell.needs_connection': 'Without its own depot this computer needs a connection to another host.',
  'shell.no_free_port': 'No port from {{first}} to {{last}} is free.',
  'shell.no_own_depot': 'The depot of this computer is not running.',

  'update.answered': 'The server of updates answers {{status}} for {{name}}.',
  'update.asks_permission':
    'The system asks for permission before it installs: the update waits for somebody.',
  'update.bad_address': 'The address of updates begins with https:// and has no username.',
  'update.bad_key': 'The public key is not an Ed25519 key of 32 bytes in base64.',
  'update.by_installer': 'This installation is updated by whoever installed it, not by the program itself.',
  'update.checksum': 'The installer is not the one that the manifest names: its SHA-512 differs.',
  'update.did_not_start': 'Version {{version}} did not start on this computer before.',
  'update.downloads': 'Videos being fetched: {{downloads}}.',
  'update.ended': 'The download was ended.',
  'update.foreign_installer': 'The manifest names an installer at another address: {{url}}.',
  'update.installer_size': 'The installer {{url}} has no size, or more than {{most}} bytes.',
  'update.manifest_too_large': '{{name}} has more than {{most}} bytes.',
  'update.not_by_itself': 'This installation is not updated by the program itself.',
  'update.not_received': '{{name}} was not received within {{seconds}} s.',
  'update.not_signed': '{{name}} is not signed by the public key of the setting.',
  'update.open_alarms': 'Open alarms: {{alarms}}.',
  'update.publisher': 'The installer is not signed by the publisher of this program.',
  'update.put_back': 'Version {{failed}} did not start on this computer, and {{version}} was put back.',
  'update.stalled': 'The download brought nothing for {{seconds}} s.',
  'update.too_many_bytes': 'The server sends more than the manifest says the installer has.',
  'update.waits': 'Installing waits.',

  'terminal.order_failed': 'The terminal refuses the order: it failed.',
  'terminal.order_not_understood': 'The terminal refuses the order: it does not understand it.',
  'terminal.order_not_supported': 'The terminal refuses the order: it cannot do that.',
  'terminal.order_refused': 'The terminal refuses the order: its answer was {{result}}.',

  'store.failed': 'The store could not do it; nothing was stored.',

  'body.too_large': 'The body is larger than this operation takes.',

  'right.dealer': 'Only dealers may do this.',
  'right.missing': 'This needs the right {{right}}.',

  'login.busy': 'Too many logins at this moment. Next try in {{seconds}} s.',

  'user.login_taken': 'The login {{login}} is taken.',
  'user.last_dealer': 'This is the last active dealer.',

  'token.name_taken': 'You have an API token named {{name}} already.',
  'token.not_owner': 'Only its owner may change an API token.',

  'group.name_taken': 'There is a group {{name}} already.',
  'group.in_geofence': 'The geofence {{geofence}} holds for this group: take it out there first.',
  'group.none_of_yours': 'names none of your groups',

  'vehicle.terminal_taken': 'The terminal ID {{terminal}} belongs to a vehicle already.',
  'vehicle.terminal_twice': 'The terminal ID {{terminal}} comes twice.',
  'vehicle.in_no_group': 'The vehicle would be in none of your groups.',
  'vehicle.purge_dealer': 'Only dealers may delete what was recorded of a vehicle.',
  'vehicle.other_groups': 'This vehicle is also in groups that are not yours.',
  'vehicle.archived': 'The vehicle is archived.',
  'vehicle.open_incidents': 'Incidents of this vehicle that must be closed first: {{open}}.',

  'driver.purge_dealer': 'Only dealers may delete the record of a driver.',
  'driver.other_groups': 'This driver is also in groups that are not yours.',
  'driver.external_id_taken': 'The external ID {{external_id}} belongs to the driver {{driver}} already.',
  'driver.external_id_taken_elsewhere': 'The external ID {{external_id}} belongs to another driver already.',
  'driver.card_taken': 'The card {{card}} belongs to the driver {{driver}} already: end it there first.',
  'driver.card_taken_elsewhere': 'The card {{card}} belongs to another driver already: end it there first.',

  'geofence.in_rule': 'The rule {{rule}} names this geofence.',
  'geofence.in_a_rule': 'A rule names it.',
  'geofence.other_groups': 'This geofence also holds for vehicles outside of your groups.',
  'geofence.for_every_vehicle': 'names none of your groups: the geofence would hold for every vehicle',
  'geofence.two_points': 'needs two different points',
  'geofence.ring_open': 'is not the first corner again: the ring is not closed',
  'geofence.too_wide':
    'spans more than 180 degrees of longitude: split it at the antimeridian (180°) into a MultiPolygon',
  'geofence.three_corners': 'needs at least three different corners',
  'geofence.encloses_nothing': 'encloses nothing: its corners lie on one line',
  'geofence.turns_back': 'turns straight back on itself at lat {{lat}}, lon {{lon}}',
  'geofence.touches_itself': 'touches its own ring at lat {{lat}}, lon {{lon}}',
  'geofence.touches_ring': 'touches ring {{ring}} at lat {{lat}}, lon {{lon}}',
  'geofence.crosses_itself':
    'the side that begins here crosses its own ring, the side after corner {{corner}}, at lat {{lat}}, lon {{lon}}',
  'geofence.crosses_ring':
    'the side that begins here crosses ring {{ring}}, its side after corner {{corner}}, at lat {{lat}}, lon {{lon}}',
  'geofence.hole_outside': 'is a hole outside of the outer ring',
  'geofence.crossings': 'goes over the antimeridian {{crossings}} times, at most {{most}} are taken',
  'geofence.no_shape': 'is missing, or of a kind that is no geofence',
  'geofence.too_many_corners': 'has {{corners}} corners, at most {{most}} are taken',
  'geofence.too_dense':
    'has {{sides}} sides side by side at lat {{lat}}, lon {{lon}}, at most {{most}} are taken',
  'geofence.parts_overlap':
    'has parts that lie over each other: {{sides}} sides would be read for one place, at most {{most}} are taken',
  'geofence.indexes_full':
    'would make the indexes of all geofences take {{bytes}} bytes, at most {{most}} are taken',
  'geofence.too_many_here':
    'lies where too many geofences lie over each other: of {{count}} geofences those over one place may take {{limit}} reads of sides ({{each}} and its sides each), this one takes {{reads}}',
  'geofence.not_monitored': 'is not monitored:',

  'recipient.approved': '{{address}} is approved already.',

  'camera.profile_exists': 'The vehicle has a video profile already.',

  'video.task_changed': 'The task is no longer in a state in which this can be done.',
  'video.no_channel': 'The vehicle has none of these channels.',

  'command.sent': 'The command was sent already.',
  'command.ended': 'The command has come to its end already.',

  'shift.on_duty': 'You are on duty already.',
  'shift.ended': 'The shift has ended already.',
  'shift.over': 'The shift is over: add the note to the one that goes on.',
  'shift.most_notes': 'A shift takes {{most}} notes of {{chars}} characters in all.',
  'shift.no_handover_any_more': 'The shift has ended: nothing can be handed over any more.',
  'shift.may_not_be_on_duty': 'may not be on duty',
  'shift.to_yourself': 'is you',
  'shift.most_offered': '{{most}} handovers of yours wait to be accepted.',
  'shift.no_handover': 'No handover is open.',
  'shift.handover_stays': 'The shift has ended: its handover stays open until it is accepted.',
  'shift.accepted_by_another': 'Another user accepts your handover.',
  'shift.meant_for': 'The handover is meant for {{user}}.',
  'shift.of_another': 'This is the shift of another user.',

  'incident.may_not_handle': 'may not handle this incident',
  'incident.open': 'The incident is not closed.',
  'incident.closed': 'The incident is closed, and must be reopened first.',
  'incident.closed_already': 'The incident is closed already.',
  'incident.data_deleted': 'What the picture shows is being deleted.',
  'incident.alarm_held': 'The alarm belongs to incident {{number}}.',
  'incident.most_notes': 'At most {{most}} notes of one incident.',
  'incident.most_note_chars': 'At most {{most}} characters in the notes of one incident.',
  'incident.most_entries': 'At most {{most}} entries of one incident.',
  'incident.most_clips': 'At most {{most}} clips of one incident.',
  'incident.most_snapshots': 'At most {{most}} snapshots of one incident.',
  'incident.most_snapshot_bytes': 'At most {{most}} bytes of the snapshots of one incident.',
  'incident.most_alarms': 'At most {{most}} alarms of one incident.',

  'settings.held_by_option': '{{setting}} is held by a command-line option.',

  'report.not_allowed': 'Whoever asked for this report may no longer run it.',
  'report.result_too_large': 'The result has {{bytes}} bytes, at most {{most}} are kept.',
  'report.server_stopped': 'The server stopped each time that this report ran.',
  'report.access_changed': 'Your access has changed since: run the report again.',

  'period.most_vehicle_days': 'makes more than {{days}} days of all vehicles together',
  'period.most_days': 'is more than {{days}} days after from',

  'escalation.too_many': 'Too many notifications escalated at the same time.',
  'escalation.nobody': 'names nobody for these channels',
  'escalation.step_order': 'is not later than the step before',

  'address.link_local': 'is a link-local address',
  'address.unspecified': 'is an unspecified address',
  'address.multicast': 'is a multicast address',
  'address.reserved': 'is a broadcast or reserved address',
  'address.hidden_ipv4': 'hides an IPv4 address',
  'address.metadata': 'is a metadata service of a cloud',
  'address.unusual': 'is written in an unusual way: write {{address}}',
  'address.credentials': 'holds a username or a password',
  'address.own': 'is an address of this host itself',
  'address.private': 'is of a private network',

  'import.more_errors': 'has {{count}} more errors',
  'import.most_rows': 'An import takes at most {{most}} rows.',

  'listener.port_in_use': 'The port {{port}} is in use by another program.',
  'listener.port_denied': 'The port {{port}} may not be used by this user.',
  'listener.no_address': 'This machine has no address {{address}}.',
  'listener.shut': '{{name}} is shut.',
  'listener.stays': 'The intake and the settings stay as they were.',

  'file.not_imported': 'The {{format}} file cannot be imported.',
  'file.nested': 'It is nested more than {{most}} levels deep.',
  'file.no_feature_list': 'Its features are not a list.',
  'file.no_geojson': 'It is no FeatureCollection, Feature or geometry of GeoJSON.',
  'file.no_track_points': 'It has no track points (trkpt).',
  'file.not_json': 'The file is not JSON: {{reason}}',
  'file.not_wgs84':
    'Its coordinates are in the system {{system}}: only longitude and latitude on WGS 84 (EPSG:4326) are taken.',
  'file.unnamed_system':
    'Its coordinate system (crs) has no name: only longitude and latitude on WGS 84 (EPSG:4326) are taken.',
  'file.most_corners':
    'An import takes at most {{most}} corners in all its shapes; this has at least {{there}}.',
  'file.most_positions': 'It has more than {{most}} positions: split it.',
  'file.most_shapes': 'An import takes at most {{most}} shapes; this has at least {{there}}.',
  'file.out_of_memory': 'Reading it took more memory than a file may use.',
  'file.wrong_root': 'Its root is {{root}}, not {{wanted}}.',

  'json.many_fields': 'An object in the JSON has more than {{most}} fields, at character {{at}}.',
  'json.nested': 'The JSON is nested more than {{most}} levels deep, at character {{at}}.',

  'xml.attribute_twice': 'Line {{line}}: {{tag}} has the attribute {{name}} twice.',
  'xml.bad_tag': 'Line {{line}}: the tag {{tag}} is not well-formed.',
  'xml.doctype': 'It has a document type (DOCTYPE), which is not allowed.',
  'xml.ends_nothing': 'Line {{line}}: {{tag}} has no start tag.',
  'xml.most_attributes': 'Line {{line}}: {{tag}} has more than {{most}} attributes.',
  'xml.most_elements': 'It has more than {{most}} elements.',
  'xml.nested': 'Line {{line}}: elements are nested more than {{most}} levels deep.',
  'xml.no_root': 'It has no root element.',
  'xml.second_root': 'Line {{line}}: there is a second root element.',
  'xml.tag_mismatch': 'Line {{line}}: {{tag}} is closed by {{end}}.',
  'xml.text_outside': 'Line {{line}}: there is text outside the root element.',
  'xml.unclosed': 'Line {{line}}: {{what}} is not closed.',
  'xml.unknown_entity': 'Line {{line}}: the entity {{name}} is unknown.',

  'csv.empty': 'There are no rows below the header line.',
  'csv.expected':
    'Required columns: {{required}}; optional: {{columns}}. Map columns with other names by `mapping`, as in mapping=terminal_id:IMEI.',
  'csv.head_line': 'The header line has {{columns}}{{rest}}.',
  'csv.long_name': 'Line {{line}} must name the columns, and has a name of more than {{most}} characters.',
  'csv.long_row': 'Line {{line}} has more fields than the header line.',
  'csv.many_fields': 'Line {{line}} has more than {{most}} fields.',
  'csv.mapped_twice': '`mapping` names {{field}} twice.',
  'csv.no_column': 'There is no column “{{column}}”.',
  'csv.no_column_for': 'No column was found for: {{fields}}.',
  'csv.not_in_unit': 'The unit of the column “{{column}}” is not valid for {{field}}.',
  'csv.open_quote': 'Line {{line}} opens a quote that is not closed.',
  'csv.unknown_columns': 'Unknown columns: {{columns}}{{rest}}.',

  'position.no_time': 'has no time',
  'position.in_future': 'has a time in the future',
  'position.before_1980': 'has a time before 1980',
  'position.not_valid': 'has no valid position: lat {{lat}}, lon {{lon}}',
  'position.no_fix': 'has no GPS fix: lat 0, lon 0',
  'position.out_of_range': 'has {{field}} {{value}}, which is not {{min}} to {{max}}',
  'position.no_number': 'has {{field}} “{{text}}”, which is no number',
  'position.not_in_unit': 'has {{field}} “{{text}}” with a unit that is not valid for it',
  'position.no_flag': 'has {{field}} “{{text}}”, which is neither on nor off',
  'position.time_unreadable': 'has the time “{{text}}”, which cannot be read',
  'position.time_unreadable_csv':
    'has the time “{{text}}”, which cannot be read: write it as 2026-11-24 13:05:00',

  'map.in_data_folder': 'lies in the data folder',
  'map.next_part': 'The next part begins at {{next}}, not at {{from}}.',
  'map.file_known': 'This file is a map already.',
  'map.too_costly': 'The file is no map that can be drawn: reading it takes too much work.',
  'map.part_under_way': 'Another part of this upload is on its way.',
  'map.no_space': 'The file needs {{needed_mb}} MB, and the disk has {{free_mb}} MB beside its reserve.',
  'map.estimating': 'Another estimate is being made.',
  'map.checking': 'All tiles are there, and the file is checked.',
  'map.area_outside': 'lies outside of what the file covers',

  'map.not_drawable': 'The file is no map that can be drawn:',
  'map.unreadable': 'The file cannot be read:',
  'map.unusable': 'The file cannot be used:',
  'map.path_unreadable': 'cannot be read:',

  'map_file.area': 'its bounds are no area: {{bounds}}',
  'map_file.cut_off': 'it is cut off, or parts of it lie outside of the file',
  'map_file.database': 'its database cannot be read: {{reason}}',
  'map_file.denied': 'the server is not allowed to read it',
  'map_file.directories_too_large': 'its directories of this area are larger than {{mb}} MB',
  'map_file.directory_damaged': 'one of its directories is damaged: {{reason}}',
  'map_file.directory_too_large': 'one of its directories is larger than {{mb}} MB',
  'map_file.loop': 'its directories lead round in a loop',
  'map_file.metadata_damaged': 'its metadata is damaged: {{reason}}',
  'map_file.metadata_no_json': 'its metadata is no JSON',
  'map_file.metadata_too_large': 'its metadata is larger than {{mb}} MB',
  'map_file.missing': 'it does not exist, or its disk is not connected',
  'map_file.no_index': 'its tiles have no index, so that each would take a look at all of them',
  'map_file.no_layers': 'its schema is not known: it names no layers',
  'map_file.no_pmtiles': 'it is no PMTiles file: its header is missing',
  'map_file.no_tiles': 'it holds no tiles',
  'map_file.no_tiles_here': 'it has no tiles of this area',
  'map_file.packing': 'it is packed in a way that is not known',
  'map_file.schema':
    'its schema is not known (layers: {{layers}}): Protomaps, OpenMapTiles and Shortbread are',
  'map_file.tile_damaged': 'one of its tiles is damaged: {{reason}}',
  'map_file.tile_kind': 'the tile {{tile}} is no {{type}}',
  'map_file.tile_too_large': 'one of its tiles is larger than {{mb}} MB',
  'map_file.tile_type': 'its tiles are of a type that is not known',
  'map_file.tiles_overlap': 'its tiles overlap',
  'map_file.unknown': 'it is neither PMTiles nor MBTiles',
  'map_file.version': 'it is PMTiles of version {{version}}; version 3 is read',
  'map_file.zooms': 'its zooms are no range',

  'map_source.no_attribution': 'is needed: the source states none',
  'map_source.address': 'the address of its tiles',
  'map_source.bad_url': 'the URL of its source “{{source}}” is not valid: {{url}}',
  'map_source.link':
    'the URL of its source “{{source}}” begins with {{protocol}}//; only http:// and https:// are read',
  'map_source.no_tile_urls': 'it lists no tile URLs',
  'map_source.no_url': 'its source “{{source}}” has neither “url” nor “tiles”',
  'map_source.no_json': 'its answer is no JSON',
  'map_source.no_placeholder': 'has no {{placeholder}}',
  'map_source.no_streets': 'it is neither a TileJSON nor a style with a vector source',
  'map_source.no_tiles': 'has no tiles:',
  'map_source.no_vector_tile': 'its answer is no vector tile but {{type}}',
  'map_source.no_vector_tile_untyped': 'its answer is no vector tile, and states no type',
  'map_source.no_picture': 'its answer is no PNG, JPEG or WebP but {{type}}',
  'map_source.no_picture_untyped': 'its answer is no PNG, JPEG or WebP, and states no type',
  'map_source.not_drawn': 'cannot be drawn:',
  'map_source.placeholder': 'has {{placeholder}}: only {z}, {x}, {y} and {-y} are filled in',
  'map_source.placeholder_in_host': 'has a placeholder in its host: name one of the hosts',
  'map_source.schema_changed': 'its schema is {{schema}} now: remove it and add it again',
  'map_source.sealed':
    'its address is encrypted for another user or computer and cannot be read: delete the map and add it again',
  'map_source.tile': '(tile {{tile}})',

  'map_source.zooms': 'is below the lowest zoom',
  'host_url.no_address': 'is no address',
  'host_url.scheme': 'is neither https:// nor http://',
  'host_url.too_long': 'is too long',
  'host_url.username': 'holds a username',

  'outgoing.address': 'its address',
  'outgoing.answered': 'it answered {{status}}',
  'outgoing.certificate': 'its certificate is not trusted',
  'outgoing.closed': 'it closed the connection',
  'outgoing.name_failed': 'its name could not be looked up',
  'outgoing.name_unknown': 'its name is not known',
  'outgoing.no_host': 'what answers there is no host of Fleetdeck',
  'outgoing.no_route': 'no route to host',
  'outgoing.no_tls': 'it does not speak HTTPS',
  'outgoing.not_inflated': 'its answer cannot be inflated',
  'outgoing.own': 'it is this host itself',
  'outgoing.packing': 'its answer is packed as {{packing}}',
  'outgoing.redirect_refused': 'it redirects to an address that is not called',
  'outgoing.redirects': 'it redirects too often',
  'outgoing.refused': 'it refuses the connection',
  'outgoing.reset': 'it closed the connection without an answer',
  'outgoing.silent': 'it does not answer',
  'outgoing.too_large': 'its answer is larger than {{mb}} MB',
  'outgoing.too_late': 'it is not responding within {{seconds}} s',
  'outgoing.unreachable': 'it cannot be reached: {{reason}}',

  'address.no_http': 'is none of HTTP',
  'address.not_encrypted': 'is not encrypted',

  'region.address': 'The address of {{host}}',
  'region.answered': '{{host}} answered {{status}}.',
  'region.certificate': 'The certificate of {{host}} is not trusted: {{reason}}.',
  'region.changed': 'The file at {{host}} is another one than when the download began.',
  'region.disk_full': 'The disk is full.',
  'region.empty': 'The file at {{host}} is empty.',
  'region.interrupted': '{{host}} disconnected in the middle.',
  'region.name_failed': '{{host}} could not be looked up.',
  'region.name_unknown': '{{host}} is not known by its name.',
  'region.no_range': '{{host}} does not state which range it sends.',
  'region.no_route': '{{host}} cannot be reached: there is no route to it.',
  'region.other_range': '{{host}} sends another range than it was asked for.',
  'region.own': '{{host}} is this host itself.',
  'region.packed': '{{host}} packs what it sends by {{packing}}.',
  'region.redirect': '{{host}} redirects to an address that',
  'region.redirects': '{{host}} redirects more than {{most}} times.',
  'region.refused': '{{host}} refuses the connection.',
  'region.reset': '{{host}} closed the connection without an answer.',
  'region.silent': '{{host}} does not answer.',
  'region.stalled': '{{host}} sends nothing more.',
  'region.too_much': '{{host}} sends more than it says.',
  'region.too_slow': 'The source takes longer than a minute.',
  'region.unreachable': '{{host}} cannot be reached: {{reason}}.',
  'region.whole_files': '{{host}} hands out only whole files, no ranges.',

  'place_index.disk_full': 'the disk is full',
  'place_index.out_of_memory': 'indexing them needs more memory than it may take',
} as const;
export type CauseCode = keyof typeof causeTexts;

type NamesIn<Text> = Text extends `${string}{{${infer Name}}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type ValuesOf<C extends CauseCode> =
  NamesIn<(typeof causeTexts)[C]> extends never
    ? []
    : [values: Record<NamesIn<(typeof causeTexts)[C]>, Value>];
type Value = Cause['values'][string];

/** A longer text, which only a file or another host can hold, is named by its start. */
const maxNamed = 4_000;
const named = (value: Value): Value =>
  typeof value === 'string' && value.length > maxNamed ? `${value.slice(0, maxNamed)}…` : value;

export const causeOf = <C extends CauseCode>(code: C, ...[values]: ValuesOf<C>): Cause => ({
  code,
  values: Object.fromEntries(
    Object.entries<Value>(values ?? {}).map(([name, value]) => [name, named(value)]),
  ),
});

const amount = new Intl.NumberFormat('en');

/** The English sentences of causes. */
export function detailOf(causes: readonly Cause[]): string {
  const texts: Readonly<Record<string, string>> = causeTexts;
  const sentences = causes.map(({ code, values }) =>
    (texts[code] ?? causeTexts.verbatim).replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const value = values[name];
      if (Array.isArray(value))
        return namesText(value, (it) => causeTexts.quoted.replace('{{name}}', () => it));
      return typeof value === 'number' ? amount.format(value) : String(value);
    }),
  );
  return sentences.join(' ');
}

/** A file may have a thousand columns. */
const maxListed = 20;
/** Columns of a file as causes name them. */
export const listedColumns = (columns: readonly string[]): { columns: string[]; rest: string } => ({
  columns: columns.slice(0, maxListed),
  rest: columns.length > maxListed ? `, … (${columns.length})` : '',
});

/** Why a CSV file cannot be read. */
export const causeOfCsv = ({ reason, line }: UnreadableFile): Cause => ({
  code: `csv.${reason}`,
  values: { line: String(line), most: reason === 'long_name' ? maxColumnName : maxFields },
});

/** What is wrong with a field, with its causes. */
export const messageOf = (...causes: Cause[]): { message: string; causes: Cause[] } => ({
  message: detailOf(causes),
  causes,
});

/** A `detail` with its causes. */
export const said = (...causes: Cause[]): { detail: string; causes: Cause[] } => ({
  detail: detailOf(causes),
  causes,
});
