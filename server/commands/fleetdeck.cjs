// What is started: `node fleetdeck.cjs COMMAND`. In the oldest syntax, so that any Node can read it and say what is
// missing; under one that is new enough it loads the program.
'use strict';

var OLDEST_NODE = 24;
var version = process.versions.node;

if (parseInt(version, 10) < OLDEST_NODE) {
  var found = 'this is ' + version + ' (' + process.execPath + ')';
  process.stderr.write('fleetdeck: Node ' + OLDEST_NODE + ' or newer is needed, ' + found + '.\n');
  process.exitCode = 1;
} else {
  require('./fleetdeck.ts');
}
