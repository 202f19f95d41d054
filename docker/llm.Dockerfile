# A chat model behind an OpenAI-compatible endpoint, for AI text and translation (SAGASCRIPT_CHAT_URL):
#   docker build -f docker/llm.Dockerfile -t sagascript-llm:0.1.0 .
# An image of its own, because its CUDA 13 libraries and torch must not meet CTranslate2's CUDA 12.

FROM python:3.11.15-slim-bookworm@sha256:d29f48a31a8b408ed19272ca1e7b10ebae13b240a27e862d3d4217c528e2e0c3 AS packages
RUN pip install --no-cache-dir uv==0.13.8 && uv venv /opt/llm
ENV VIRTUAL_ENV=/opt/llm UV_LINK_MODE=copy
RUN uv pip install --no-cache vllm==0.32.0

FROM python:3.11.15-slim-bookworm@sha256:d29f48a31a8b408ed19272ca1e7b10ebae13b240a27e862d3d4217c528e2e0c3 AS llm
# Triton compiles small C sources when a model is loaded.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --user-group --create-home llm \
    && install -d -o llm -g llm /models /cache
COPY --from=packages /opt/llm /opt/llm
ENV PATH=/opt/llm/bin:$PATH \
    HF_HOME=/models/.hub \
    HF_HUB_DISABLE_TELEMETRY=1 \
    VLLM_NO_USAGE_STATS=1 \
    DO_NOT_TRACK=1 \
    VLLM_CACHE_ROOT=/cache \
    TRITON_CACHE_DIR=/cache/triton \
    NVIDIA_VISIBLE_DEVICES=all \
    NVIDIA_DRIVER_CAPABILITIES=compute,utility
USER 10001:10001
WORKDIR /cache
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=600s \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/health', timeout=4)"]
ENTRYPOINT ["vllm", "serve"]
CMD ["/models/chat", "--served-model-name", "chat", "--host", "0.0.0.0", "--port", "8000"]
