/** Opens a microphone, or the sound of a tab, and hands over pieces of it. */
import workletUrl from "./captureWorklet?worker&url";

export type SoundKind = "microphone" | "tab";

export interface CaptureEvents {
  onPiece: (pcm: ArrayBuffer) => void;
  /** How loud it is, from 0 to 1, some 20 times a second. */
  onLevel: (level: number) => void;
  /** The device is gone, or the person has ended the sharing of the tab. */
  onGone: () => void;
}

export interface Capture {
  /** Hands over what is left of the last piece. */
  stop: () => Promise<void>;
}

type Message = { pcm?: ArrayBuffer; level?: number; flushed?: true };

const RATE = 16_000;

/** Raises what the browser raises: the person refused, or there is no such device. */
export async function openCapture(
  kind: SoundKind,
  deviceId: string | undefined,
  events: CaptureEvents,
): Promise<Capture> {
  const stream = await openStream(kind, deviceId);
  try {
    return await follow(stream, events);
  } catch (error) {
    stop(stream);
    throw error;
  }
}

async function openStream(kind: SoundKind, deviceId: string | undefined): Promise<MediaStream> {
  if (kind === "microphone") {
    return navigator.mediaDevices.getUserMedia({
      audio: {
        ...(deviceId === undefined ? {} : { deviceId: { exact: deviceId } }),
        channelCount: 1,
        echoCancellation: true,
        noiseSuppression: true,
        autoGainControl: true,
      },
    });
  }
  // Browsers share the sound of a tab only together with its picture.
  const stream = await navigator.mediaDevices.getDisplayMedia({ audio: true, video: true });
  if (stream.getAudioTracks().length === 0) {
    stop(stream);
    throw new NoTabSound();
  }
  return stream;
}

/** The person shared something without its sound. */
export class NoTabSound extends Error {}

async function follow(stream: MediaStream, events: CaptureEvents): Promise<Capture> {
  const context = contextFor(stream);
  await context.audioWorklet.addModule(workletUrl);
  const source = context.createMediaStreamSource(new MediaStream(stream.getAudioTracks()));
  const node = new AudioWorkletNode(context, "capture", { numberOfOutputs: 0 });
  let onFlushed: (() => void) | undefined;
  node.port.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.pcm !== undefined) events.onPiece(data.pcm);
    if (data.level !== undefined) events.onLevel(data.level);
    if (data.flushed === true) onFlushed?.();
  };
  for (const track of stream.getTracks()) track.addEventListener("ended", events.onGone);
  source.connect(node);
  await context.resume();
  return {
    stop: async () => {
      source.disconnect();
      await new Promise<void>((resolve) => {
        onFlushed = resolve;
        node.port.postMessage("flush");
      });
      for (const track of stream.getTracks()) track.removeEventListener("ended", events.onGone);
      stop(stream);
      await context.close();
    },
  };
}

/** A context at the rate of the server, in which the browser converts; else one at the rate of the device. */
function contextFor(stream: MediaStream): AudioContext {
  const context = new AudioContext({ sampleRate: RATE });
  try {
    context.createMediaStreamSource(new MediaStream(stream.getAudioTracks()));
    return context;
  } catch {
    // Firefox does not connect a device to a context of another rate.
    void context.close();
    return new AudioContext();
  }
}

function stop(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** The microphones of this machine. They have names once the person has allowed one of them. */
export async function microphones(): Promise<MediaDeviceInfo[]> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices.filter(({ kind, deviceId }) => kind === "audioinput" && deviceId !== "");
}
