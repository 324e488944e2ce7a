; The host as a service of Windows: an installation for all users offers it, an update leaves it as it is. Silent ones
; (/S) are answered with no; service\install-service.cmd does the same.
!macro customInstall
  ${if} $installMode == "all"
  ${andIf} ${FileExists} "$INSTDIR\service\fleetdeck-service.exe"
    ReadRegStr $R0 HKLM "SYSTEM\CurrentControlSet\Services\fleetdeck" "ImagePath"
    ${if} $R0 != ""
      nsExec::ExecToLog '"$INSTDIR\service\fleetdeck-service.exe" start'
      Pop $R0
    ${elseIf} ${Cmd} `MessageBox MB_YESNO|MB_ICONQUESTION|MB_DEFBUTTON2 "Should this computer take in positions also while nobody is logged in to Windows?$\r$\n$\r$\nYes adds the service Fleetdeck host. Its data lies in ProgramData\Fleetdeck, apart from that of the desktop." /SD IDNO IDYES`
      nsExec::ExecToLog '"$SYSDIR\cmd.exe" /d /c ""$INSTDIR\service\install-service.cmd""'
      Pop $R0
      ${if} $R0 != 0
        MessageBox MB_OK|MB_ICONEXCLAMATION "The service was not added. As an administrator, run $INSTDIR\service\install-service.cmd to see why." /SD IDOK
      ${endIf}
    ${endIf}
  ${endIf}
!macroend

; Before files are removed, also by an update: a program that runs cannot be replaced.
!macro customUnInstall
  ${if} ${FileExists} "$INSTDIR\service\fleetdeck-service.exe"
    nsExec::ExecToLog '"$INSTDIR\service\fleetdeck-service.exe" stopwait'
    Pop $R0
    ${ifNot} ${isUpdated}
      nsExec::ExecToLog '"$INSTDIR\service\fleetdeck-service.exe" uninstall'
      Pop $R0
    ${endIf}
  ${endIf}
!macroend
