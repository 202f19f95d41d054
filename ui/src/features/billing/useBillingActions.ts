import { useState } from "react";
import { useSWRConfig } from "swr";
import { keys, staleBy } from "../../api/keys";
import { refresh, sentenceOf } from "./data";
import type { Billing, BillingConfig, PaymentStep } from "./types";
import { confirmStep } from "./useStripe";

export interface Actions {
  busy: boolean;
  problem: string | undefined;
  /** Run a change and show what came of it. Resolves to whether it worked. */
  run: (change: () => Promise<Billing>, fallback: string) => Promise<boolean>;
  /** Run a change that may need a payment, and confirm that. */
  runPaid: (change: () => Promise<PaymentStep>, fallback: string) => Promise<boolean>;
  clear: () => void;
}

/** Changes of the subscription, one at a time. */
export function useBillingActions(config: BillingConfig): Actions {
  const { mutate } = useSWRConfig();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  const show = async (billing: Billing) => {
    await mutate(keys.billing, billing, { revalidate: false });
    await Promise.all([mutate(keys.user), mutate(staleBy(keys.invoices("")))]);
  };
  const run = async (change: () => Promise<Billing>, fallback: string) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await show(await change());
      return true;
    } catch (error) {
      setProblem(error instanceof Error ? sentenceOf(error, error.message || fallback) : fallback);
      return false;
    } finally {
      setBusy(false);
    }
  };
  const runPaid = (change: () => Promise<PaymentStep>, fallback: string) =>
    run(async () => {
      const step = await change();
      try {
        await confirmStep(config, step);
      } catch (error) {
        // The order stands and waits for its payment: show that beside the bank's sentence.
        await show(await refresh());
        throw error;
      }
      return refresh();
    }, fallback);
  return { busy, problem, run, runPaid, clear: () => setProblem(undefined) };
}
