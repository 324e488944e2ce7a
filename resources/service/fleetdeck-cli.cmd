@echo off
"%~dp0Fleetdeck.exe" --cli -- %*
