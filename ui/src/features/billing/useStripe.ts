import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { sentenceOf } from "../../platform/api/client";
import { t } from "../../platform/messages/billing";
import { newIntent } from "./data";
import { loadStripe, type Elements, type Stripe, type StripeError } from "./stripe";
import type { BillingConfig, PaymentStep } from "./types";

export interface CardForm {
  /** Where the form appears. */
  target: React.RefObject<HTMLDivElement | null>;
  isReady: boolean;
  problem: string | undefined;
  /** Save the card. Resolves to the ids of the intent and the card; throws Stripe's sentence. */
  save: () => Promise<{ intent: string; method: string }>;
  /** Begin again with an empty form. */
  restart: () => void;
}

interface Mounted {
  stripe: Stripe;
  elements: Elements;
  intent: string;
  saved?: { intent: string; method: string };
}

const BROKEN = t("card.formNotReady");

/** A form for a card. The number goes to Stripe and never to us. */
export function useCardForm(config: BillingConfig, open: boolean): CardForm {
  const target = useRef<HTMLDivElement>(null);
  const mounted = useRef<Mounted>(undefined);
  const [isReady, setReady] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [round, setRound] = useState(0);
  const scheme = useComputedColorScheme("light");
  const { js_url, publishable_key } = config;

  useEffect(() => {
    if (!open || publishable_key === "") return;
    let isGone = false;
    let destroy: () => void = () => undefined;
    const prepare = async () => {
      const [stripe, intent] = await Promise.all([
        loadStripe(js_url, publishable_key),
        newIntent(),
      ]);
      if (isGone || target.current === null) return;
      const elements = stripe.elements({
        clientSecret: intent.client_secret,
        appearance: { theme: scheme === "dark" ? "night" : "stripe" },
      });
      const element = elements.create("payment");
      element.on("ready", () => setReady(true));
      element.mount(target.current);
      destroy = () => element.destroy();
      mounted.current = { stripe, elements, intent: intent.id };
    };
    prepare().catch((error: unknown) => {
      if (!isGone) setProblem(sentenceOf(error, BROKEN));
    });
    return () => {
      isGone = true;
      mounted.current = undefined;
      destroy();
      setReady(false);
      setProblem(undefined);
    };
  }, [open, js_url, publishable_key, scheme, round]);

  const save = async () => {
    const form = mounted.current;
    if (form === undefined) throw new Error(BROKEN);
    // A card that is saved already is not typed again when a later step failed.
    if (form.saved !== undefined) return form.saved;
    const { error: incomplete } = await form.elements.submit();
    if (incomplete !== undefined) throw new Error(incomplete.message ?? BROKEN);
    const { error, setupIntent } = await form.stripe.confirmSetup({
      elements: form.elements,
      redirect: "if_required",
      confirmParams: { return_url: window.location.href },
    });
    const method = setupIntent?.payment_method;
    if (error !== undefined) throw refusal(error);
    if (method === undefined || method === null) throw new Error(BROKEN);
    form.saved = { intent: form.intent, method: typeof method === "string" ? method : method.id };
    return form.saved;
  };
  return { target, isReady, problem, save, restart: () => setRound((held) => held + 1) };
}

/** Confirm a payment with Stripe.js; the bank may have questions. Throws Stripe's sentence. */
export async function confirmStep(config: BillingConfig, step: PaymentStep): Promise<void> {
  if (step.step === "done" || step.client_secret == null) return;
  const stripe = await loadStripe(config.js_url, config.publishable_key);
  const { error } = await stripe.confirmPayment({
    clientSecret: step.client_secret,
    redirect: "if_required",
    confirmParams: {
      return_url: window.location.href,
      ...(step.payment_method == null ? {} : { payment_method: step.payment_method }),
    },
  });
  if (error !== undefined) throw refusal(error);
}

/** Stripe's sentence about a card, and what to do now. */
const refusal = ({ type, message }: StripeError): Error =>
  new Error(
    message !== undefined && type === "card_error"
      ? `${message} ${t("card.declined")}`
      : (message ?? BROKEN),
  );
