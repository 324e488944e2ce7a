@echo off
setlocal
set ELECTRON_RUN_AS_NODE=1
"%~dp0Fleetdeck.exe" "%~dp0resources\app\dist\app\fleetdeck.cjs" %*
