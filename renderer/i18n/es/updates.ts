/** Updates in Spanish. */
export const texts: Readonly<Record<string, string>> = {
  'updates.about':
    'Versiones nuevas de Fleetdeck para este equipo. Antes de instalar una, se hace una copia de seguridad del servidor y se conserva el instalador de esta versión. Si la nueva no arranca tres veces, se restauran ambos.',
  'updates.by_itself': 'Instalar automáticamente',
  'updates.by_itself_about':
    'En la hora de la comprobación, y solo si no hay alarmas abiertas ni videos descargándose. Fleetdeck se reinicia.',
  'updates.check': 'Comprobar',
  'updates.checked': 'Comprobado',
  'updates.failed': 'No se pudieron cargar las actualizaciones de este equipo.',
  'updates.hour': 'Comprobar cada día a las',
  'updates.install': 'Instalar y reiniciar',
  'updates.install_confirm': '¿Reiniciar ahora?',
  'updates.key': 'Clave pública',
  'updates.key_about':
    'Ed25519, 32 bytes en base64. Solo se instalan versiones firmadas con su clave privada.',
  'updates.loading': 'Cargando',
  'updates.on': 'Buscar actualizaciones',
  'updates.on_about': 'Desactivado: este equipo no consulta actualizaciones a ningún servidor.',
  'updates.save': 'Guardar',
  'updates.state.checking': 'Comprobando',
  'updates.state.downloading': 'Descargando la versión {{found}}: {{percent}} %',
  'updates.state.failed': 'La última comprobación falló. {{reason}}',
  'updates.state.idle': 'Versión {{version}}. Aún sin comprobar.',
  'updates.state.installing': 'Instalando la versión {{found}}. Fleetdeck se reinicia.',
  'updates.state.ready': 'La versión {{found}} está descargada y verificada.',
  'updates.state.refused': 'Se rechazó una actualización. {{reason}}',
  'updates.state.up_to_date': 'La versión {{version}} está actualizada.',
  'updates.title': 'Actualizaciones',
  'updates.url': 'Dirección',
  'updates.url_about': 'De la carpeta con latest.yml, latest.yml.sig y los instaladores, con https://',
};
