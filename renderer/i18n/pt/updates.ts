/** Updates of the desktop in Portuguese. */
export const texts: Readonly<Record<string, string>> = {
  'updates.about':
    'Novas versões do Fleetdeck para este computador. Antes de instalar uma, é feito um backup do servidor e o instalador desta versão é guardado. Se a nova versão falhar três vezes ao iniciar, ambos são restaurados.',
  'updates.by_itself': 'Instalar automaticamente',
  'updates.by_itself_about':
    'Na hora da verificação e só enquanto nenhum alarme estiver aberto e nenhum vídeo estiver sendo obtido. O Fleetdeck reinicia.',
  'updates.check': 'Verificar',
  'updates.checked': 'Verificado',
  'updates.failed': 'Não foi possível carregar as atualizações deste computador.',
  'updates.hour': 'Verificar todo dia às',
  'updates.install': 'Instalar e reiniciar',
  'updates.install_confirm': 'Reiniciar agora?',
  'updates.key': 'Chave pública',
  'updates.key_about':
    'Ed25519, 32 bytes em base64. Só são instaladas versões assinadas com a chave privada dela.',
  'updates.loading': 'Carregando',
  'updates.on': 'Verificar atualizações',
  'updates.on_about': 'Desligado: este computador não consulta nenhum servidor de atualizações.',
  'updates.save': 'Salvar',
  'updates.state.checking': 'Verificando',
  'updates.state.downloading': 'Baixando a versão {{found}}: {{percent}}%',
  'updates.state.failed': 'A última verificação falhou. {{reason}}',
  'updates.state.idle': 'Versão {{version}}. Ainda não verificada.',
  'updates.state.installing': 'Instalando a versão {{found}}. O Fleetdeck reinicia.',
  'updates.state.ready': 'A versão {{found}} foi baixada e verificada.',
  'updates.state.refused': 'Uma atualização foi recusada. {{reason}}',
  'updates.state.up_to_date': 'A versão {{version}} está atualizada.',
  'updates.title': 'Atualizações',
  'updates.url': 'Endereço',
  'updates.url_about': 'Da pasta com latest.yml, latest.yml.sig e os instaladores, com https://',
};
