import { Outlet } from "react-router";
import { Text } from "@mantine/core";
import "./auth.css";

/** The pages before sign-in: the form, and beside it (on wide screens) what the product is about. */
export function AuthLayout() {
  return (
    <div className="auth">
      <main className="auth-form">
        <img src="/logo.svg" width={44} height={44} alt="Sagascript" />
        <div>
          <Outlet />
        </div>
      </main>
      <aside className="auth-story" aria-hidden="true">
        <div className="auth-wave">
          {WAVE.map((height, index) => (
            <span key={index} style={{ height: `${height}%` }} />
          ))}
        </div>
        <p className="auth-caption">Every word, where it was spoken.</p>
        <Text size="sm" c="rgba(255,255,255,.75)">
          Transcribe, correct and subtitle video in the languages you work in.
        </Text>
      </aside>
    </div>
  );
}

const WAVE = [
  22, 38, 64, 41, 78, 95, 60, 34, 52, 88, 70, 45, 30, 58, 82, 66, 40, 26, 48, 72, 54, 33, 61, 44,
  20,
];
