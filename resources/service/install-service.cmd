@echo off
rem Installs and starts the service of Windows: as an administrator, in the folder where Fleetdeck shall stay.
rem To remove it: fleetdeck-service.exe stop, then fleetdeck-service.exe uninstall. The data stays.
setlocal
set "HERE=%~dp0"
set "DATA=%ProgramData%\Fleetdeck"
if not exist "%HERE%fleetdeck-service.exe" (
  echo fleetdeck: fleetdeck-service.exe is missing here; README.txt says where it is to be had.
  exit /b 1
)
net session >nul 2>&1
if errorlevel 1 (
  echo fleetdeck: run this as an administrator.
  exit /b 1
)
if not exist "%DATA%\logs" mkdir "%DATA%\logs"
rem Keys and passwords lie there: for the service (LocalService), the system and administrators alone.
icacls "%DATA%" /inheritance:r /grant:r *S-1-5-19:(OI)(CI)F *S-1-5-18:(OI)(CI)F *S-1-5-32-544:(OI)(CI)F >nul || exit /b 1
"%HERE%fleetdeck-service.exe" install || exit /b 1
sc.exe config fleetdeck obj= "NT AUTHORITY\LocalService" >nul || exit /b 1
"%HERE%fleetdeck-service.exe" start
