@echo off
"%~dp0runtime\node.exe" "%~dp0app\fleetdeck.cjs" %*
