/** Connections in Portuguese. */
export const texts: Readonly<Record<string, string>> = {
  'connections.address': 'Endereço',
  'connections.address_about': 'Como o servidor o mostra ao iniciar. Sem porta, vale 8471.',
  'connections.asking': 'Conectando a {{host}}',
  'connections.back': 'Voltar',
  'connections.changed':
    '{{host}} apresenta um certificado diferente do que você confirmou. Nada foi enviado. O servidor pode ter renovado o certificado ou outra máquina responde no lugar dele: compare a nova impressão digital com a que o servidor mostra.',
  'connections.connect': 'Conectar',
  'connections.connect_to': 'Conectar a {{name}}',
  'connections.different':
    'O servidor e este programa são de versões diferentes: algumas funções são recusadas ou não aparecem.',
  'connections.fingerprint': 'Impressão digital SHA-256',
  'connections.fingerprint_before': 'Impressão digital SHA-256 confirmada',
  'connections.fingerprint_now': 'Nova impressão digital SHA-256',
  'connections.found': '{{depot}} em {{host}}, Fleetdeck {{version}}.',
  'connections.found_hosts': 'Servidores nesta rede',
  'connections.found_none':
    'Nenhum servidor se anunciou nesta rede. Um servidor se anuncia quando é iniciado com --announce.',
  'connections.insecure':
    'A conexão com {{host}} não é criptografada: senhas, posições e vídeos podem ser lidos no caminho.',
  'connections.insecure_confirm': 'Conectar sem criptografia',
  'connections.invalid': 'O endereço {{reason}}.',
  'connections.look': 'Buscar servidores',
  'connections.looking': 'Buscando servidores nesta rede',
  'connections.name': 'Nome',
  'connections.newer':
    'O servidor é mais novo que este programa: o que este console ainda não conhece não aparece.',
  'connections.older':
    'O servidor é mais antigo que este programa: as funções que ele não tem são recusadas.',
  'connections.open': 'Conectar a outro servidor…',
  'connections.open_anyway': 'Abrir mesmo assim',
  'connections.own': 'Este computador',
  'connections.own_depot': 'Executar uma base neste computador',
  'connections.own_depot_about':
    'Sem ela, o Fleetdeck inicia com a última conexão e os terminais não podem enviar para cá. Vale a partir da próxima inicialização.',
  'connections.own_ends': 'Em execução; desligada a partir da próxima inicialização',
  'connections.own_off': 'Desligada',
  'connections.own_runs': 'Em execução',
  'connections.own_starts': 'Desligada; em execução a partir da próxima inicialização',
  'connections.reconnect': 'Reconectar',
  'connections.remote': 'Conectado a {{host}}',
  'connections.remove': 'Remover',
  'connections.remove_confirm': 'Remover a conexão',
  'connections.rename': 'Renomear',
  'connections.show': 'Abrir',
  'connections.shown': 'Exibido aqui',
  'connections.title': 'Servidores',
  'connections.trust': 'As impressões digitais são iguais',
  'connections.trust_new': 'Confirmar o novo certificado',
  'connections.unencrypted': 'sem criptografia',
  'connections.unreachable': 'Não é possível conectar a {{host}}: {{reason}}.',
  'connections.untrusted':
    'Nenhuma autoridade atesta o certificado de {{host}}. Compare a impressão digital com a que o servidor mostra ao iniciar; conecte só se forem iguais.',
};
