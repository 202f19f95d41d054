import { usePageTitle } from "../../layouts/usePageTitle";
import { AuthForm, type Field } from "./AuthForm";
import { useSession } from "./session";

const FIELDS: Field[] = [
  { name: "email", label: "Email", type: "email", autoComplete: "username" },
  { name: "password", label: "Password", type: "password", autoComplete: "current-password" },
];

export default function LoginPage() {
  usePageTitle("Login");
  const { login } = useSession();
  return (
    <AuthForm
      title="Welcome back"
      subtitle="Sign in to your videos and captions."
      fields={FIELDS}
      action="Sign in"
      other={{ text: "New here?", label: "Create an account", to: "/register" }}
      onSubmit={(values) => login(values.email ?? "", values.password ?? "")}
    />
  );
}
