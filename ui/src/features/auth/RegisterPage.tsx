import { useNavigate } from "react-router";
import { usePageTitle } from "../../layouts/usePageTitle";
import { AuthForm, type Field } from "./AuthForm";
import { useSession } from "./session";

const FIELDS: Field[] = [
  { name: "name", label: "Name", type: "text", autoComplete: "name" },
  { name: "email", label: "Email", type: "email", autoComplete: "username" },
  { name: "password", label: "Password", type: "password", autoComplete: "new-password" },
  {
    name: "password_confirmation",
    label: "Confirm password",
    type: "password",
    autoComplete: "new-password",
  },
];

export default function RegisterPage() {
  usePageTitle("Register");
  const { register } = useSession();
  const navigate = useNavigate();
  return (
    <AuthForm
      title="Create your account"
      subtitle="Upload a video and watch its captions appear."
      fields={FIELDS}
      action="Create account"
      other={{ text: "Already have one?", label: "Sign in", to: "/login" }}
      onSubmit={async (values) => {
        await register({
          name: values.name ?? "",
          email: values.email ?? "",
          password: values.password ?? "",
          password_confirmation: values.password_confirmation ?? "",
        });
        await navigate("/dashboard");
      }}
    />
  );
}
