# The product from its wheel, without a checkout: `sagascript init compose` writes this file beside the wheel.

FROM python:3.11.15-slim-bookworm@sha256:d29f48a31a8b408ed19272ca1e7b10ebae13b240a27e862d3d4217c528e2e0c3 AS wheel
# As in docker/Dockerfile: ffmpeg with libass and x264, fonts that the bundled one lacks, and ps for Ray.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends ffmpeg fontconfig fonts-dejavu fonts-noto-cjk procps wget \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --user-group --create-home sagascript \
    && install -d -o sagascript -g sagascript /data
COPY sagascript-*.whl /tmp/
RUN pip install --no-cache-dir uv==0.13.8 && uv pip install --system --no-cache /tmp/sagascript-*.whl
ENV SAGASCRIPT_DATA_DIR=/data \
    SAGASCRIPT_HOST=0.0.0.0 \
    SAGASCRIPT_LOG_FORMAT=json \
    RAY_SERVE_FORCE_STOP_UNHEALTHY_REPLICAS=1 \
    RAY_kill_worker_timeout_milliseconds=2000 \
    RAY_USAGE_STATS_ENABLED=0
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8080/healthz', timeout=4)"]
ENTRYPOINT ["sagascript"]
CMD ["up"]
