// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import type { Schemas } from "../api/client";
import { connect } from "./connect";

const ours: Schemas["RealtimeConfig"] = {
  key: "key",
  cluster: null,
  host: "relay.example",
  port: 6001,
  path: "/live",
  tls: false,
  activity_timeout_ms: 120_000,
  pong_timeout_ms: 30_000,
};

const addresses = (config: Schemas["RealtimeConfig"]) => {
  const pusher = connect(config);
  pusher.disconnect();
  return pusher.config;
};

describe("the address that a page connects to", () => {
  it("is the relay's own where it has one", () => {
    expect(addresses(ours)).toMatchObject({
      wsHost: "relay.example",
      wsPort: 6001,
      wsPath: "/live",
      httpHost: "relay.example",
      httpPath: "/live/pusher",
      useTLS: false,
      activityTimeout: 120_000,
      pongTimeout: 30_000,
    });
  });

  it("is hosted Pusher's by the name of the cluster", () => {
    const hosted = { ...ours, cluster: "eu", host: null, port: null, path: null, tls: true };
    expect(addresses(hosted)).toMatchObject({
      wsHost: "ws-eu.pusher.com",
      wssPort: 443,
      httpHost: "sockjs-eu.pusher.com",
      useTLS: true,
    });
  });
});
