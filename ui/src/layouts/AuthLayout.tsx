import { Outlet } from "react-router";
import { AuthStory } from "./AuthStory";
import { Brand } from "./Brand";
import { SchemeSwitch } from "./SchemeSwitch";
import "./auth.css";

/** The pages before sign-in: the form, and beside it (on wide screens) what the product does. */
export function AuthLayout() {
  return (
    <div className="auth">
      <div className="auth-side">
        <header className="auth-top">
          <Brand />
          <SchemeSwitch />
        </header>
        <main className="auth-form">
          <Outlet />
        </main>
        <p className="auth-foot">Transcribe, correct and subtitle in the languages you work in.</p>
      </div>
      <AuthStory />
    </div>
  );
}
