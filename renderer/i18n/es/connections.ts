/** Connections in Spanish. */
export const texts: Readonly<Record<string, string>> = {
  'connections.address': 'Dirección',
  'connections.address_about': 'Tal como la muestra el servidor al arrancar. Sin puerto es el 8471.',
  'connections.asking': 'Conectando con {{host}}',
  'connections.back': 'Atrás',
  'connections.changed':
    '{{host}} presenta un certificado distinto del que usted confirmó. No se envió nada. Puede que el servidor haya renovado su certificado o que otro equipo responda en su lugar: compare la huella nueva con la que muestra el servidor.',
  'connections.connect': 'Conectar',
  'connections.connect_to': 'Conectar con {{name}}',
  'connections.different':
    'El servidor y este programa son de versiones distintas: algunas funciones se rechazan o no se muestran.',
  'connections.fingerprint': 'Huella SHA-256',
  'connections.fingerprint_before': 'Huella SHA-256 confirmada',
  'connections.fingerprint_now': 'Huella SHA-256 nueva',
  'connections.found': '{{depot}} en {{host}}, Fleetdeck {{version}}.',
  'connections.found_hosts': 'Servidores en esta red',
  'connections.found_none':
    'Ningún servidor se ha anunciado en esta red. Un servidor lo hace cuando se inicia con --announce.',
  'connections.insecure':
    'La conexión con {{host}} no está cifrada: contraseñas, posiciones y videos se pueden leer por el camino.',
  'connections.insecure_confirm': 'Conectar sin cifrado',
  'connections.invalid': 'La dirección {{reason}}.',
  'connections.look': 'Buscar servidores',
  'connections.looking': 'Buscando servidores en esta red',
  'connections.name': 'Nombre',
  'connections.newer':
    'El servidor es más nuevo que este programa: lo que esta consola aún no conoce no se muestra.',
  'connections.older':
    'El servidor es más antiguo que este programa: las funciones que no tiene se rechazan.',
  'connections.open': 'Conectar con otro servidor…',
  'connections.open_anyway': 'Abrir igualmente',
  'connections.own': 'Este equipo',
  'connections.own_depot': 'Tener una base en este equipo',
  'connections.own_depot_about':
    'Sin ella, Fleetdeck se inicia con la última conexión y los terminales no pueden enviar aquí. Se aplica en el próximo inicio.',
  'connections.own_ends': 'Funciona; desactivada desde el próximo inicio',
  'connections.own_off': 'Desactivada',
  'connections.own_runs': 'Funciona',
  'connections.own_starts': 'Desactivada; funciona desde el próximo inicio',
  'connections.reconnect': 'Reconectar',
  'connections.remote': 'Conectado a {{host}}',
  'connections.remove': 'Quitar',
  'connections.remove_confirm': 'Quitar la conexión',
  'connections.rename': 'Renombrar',
  'connections.show': 'Abrir',
  'connections.shown': 'Visible aquí',
  'connections.title': 'Servidores',
  'connections.trust': 'Las huellas son iguales',
  'connections.trust_new': 'Confirmar el certificado nuevo',
  'connections.unencrypted': 'sin cifrar',
  'connections.unreachable': 'No se puede conectar con {{host}}: {{reason}}.',
  'connections.untrusted':
    'Ninguna autoridad avala el certificado de {{host}}. Compare su huella con la que muestra el servidor al arrancar; conecte solo si son iguales.',
};
