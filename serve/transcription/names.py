"""Names under which Serve knows the speech model; callers need them without loading any engine."""

APP_NAME = "transcription"
DEPLOYMENT_NAME = "Transcriber"
