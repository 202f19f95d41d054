/** The parts of Stripe.js that we use. Its script must come from Stripe itself and loads with the first card form. */
import { t } from "../../platform/messages/billing";

export interface StripeError {
  type?: string;
  message?: string;
}

interface Element {
  mount: (target: HTMLElement) => void;
  destroy: () => void;
  on: (event: "ready" | "change" | "loaderror", listener: () => void) => unknown;
}

export interface Elements {
  create: (kind: "payment", options?: object) => Element;
  submit: () => Promise<{ error?: StripeError }>;
}

export interface Stripe {
  elements: (options: { clientSecret: string; appearance?: object }) => Elements;
  confirmSetup: (options: {
    elements: Elements;
    redirect: "if_required";
    confirmParams: { return_url: string };
  }) => Promise<{
    error?: StripeError;
    setupIntent?: { id: string; payment_method: string | { id: string } | null };
  }>;
  confirmPayment: (options: {
    clientSecret: string;
    redirect: "if_required";
    confirmParams: { return_url: string; payment_method?: string };
  }) => Promise<{ error?: StripeError }>;
}

declare global {
  interface Window {
    Stripe?: (key: string) => Stripe;
  }
}

const UNREACHABLE = t("card.formFailed");

let loading: Promise<Stripe> | undefined;

/** Stripe.js with our key; one script however many forms there are. Throws a sentence when it cannot be loaded. */
export function loadStripe(url: string, key: string): Promise<Stripe> {
  loading ??= new Promise<Stripe>((resolve, reject) => {
    const script = document.createElement("script");
    script.src = url;
    script.onload = () =>
      window.Stripe === undefined ? reject(new Error(UNREACHABLE)) : resolve(window.Stripe(key));
    script.onerror = () => reject(new Error(UNREACHABLE));
    document.head.append(script);
  }).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}
