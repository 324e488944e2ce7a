# A host in a container: `npm run pack:host -- linux-x64` first, for arm64 `linux-arm64` and
# `--build-arg PLATFORM=linux-arm64`. Its options are the variables that `fleetdeck serve --help` names.
FROM debian:13-slim
ARG PLATFORM=linux-x64
RUN useradd --uid 8471 --user-group --no-create-home --home-dir /data --shell /usr/sbin/nologin fleetdeck \
  && install --directory --owner=fleetdeck --group=fleetdeck --mode=0700 /data
COPY dist/host/${PLATFORM} /opt/fleetdeck
ENV FLEETDECK_DATA=/data FLEETDECK_HOST=0.0.0.0 FLEETDECK_INTAKE_HOST=0.0.0.0 FLEETDECK_TLS=self
USER 8471:8471
VOLUME /data
EXPOSE 8471 5055 5027 5027/udp 5039 5039/udp 5015 5016
HEALTHCHECK --interval=30s --timeout=15s --start-period=60s CMD ["/opt/fleetdeck/fleetdeck", "health"]
ENTRYPOINT ["/opt/fleetdeck/fleetdeck"]
CMD ["serve"]
