# The service and nothing else: no store, no compiler, no pip. docs/image.md says how to build and run it.
ARG BASE=docker.io/library/python:3.13-slim-trixie
# Given as sha256:..., it holds the base to one build of the tag.
ARG BASE_DIGEST=

FROM ${BASE}${BASE_DIGEST:+@$BASE_DIGEST} AS build
WORKDIR /src
RUN python3 -m venv /opt/build && python3 -m venv --without-pip /opt/upcard
ENV PATH=/opt/build/bin:$PATH \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_ONLY_BINARY=:all: \
    PIP_ROOT_USER_ACTION=ignore
COPY requirements/image-build.txt requirements/image.txt requirements/
# The secret is optional: a pip.conf for those who install from an index of their own.
RUN --mount=type=secret,id=pip.conf,target=/etc/pip.conf \
    pip install --require-hashes -r requirements/image-build.txt && \
    pip --python /opt/upcard/bin/python install --require-hashes --no-compile -r requirements/image.txt
COPY . .
# The byte code is never held against the time of its source: nobody can write a newer one.
RUN pip wheel --no-index --no-deps --no-build-isolation --wheel-dir /dist . && \
    pip --python /opt/upcard/bin/python install --no-index --no-deps --no-compile /dist/*.whl && \
    /opt/upcard/bin/python -m compileall -q --invalidation-mode unchecked-hash /opt/upcard/lib && \
    cyclonedx-py environment --pyproject pyproject.toml --output-reproducible \
        --output-file /dist/sbom.cdx.json /opt/upcard/bin/python

FROM ${BASE}${BASE_DIGEST:+@$BASE_DIGEST}
ARG VERSION
ARG REVISION
ARG SOURCE
LABEL org.opencontainers.image.title="Upcard" \
      org.opencontainers.image.description="A REST service that runs gin rummy matches" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.source="${SOURCE}"
ENV PATH=/opt/upcard/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1
# The base's pip would have nothing to do but to be out of date.
RUN rm -rf /usr/local/bin/pip* /usr/local/lib/python3*/site-packages/pip*
COPY --from=build /opt/upcard /opt/upcard
COPY --from=build /dist/sbom.cdx.json /usr/share/upcard/
USER 10001:10001
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["python", "-c", "\
from http.client import HTTPConnection as To; line = To('127.0.0.1', 8000, timeout=2); \
line.request('GET', '/healthz'); raise SystemExit(line.getresponse().status != 200)"]
# REDIS_URL and UPCARD_SECRET have to be given; the process becomes gunicorn, so that it gets the signals itself.
ENTRYPOINT ["upcard"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000"]
