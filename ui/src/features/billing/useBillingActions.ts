import { useState } from "react";
import { useSWRConfig } from "swr";
import { ApiError, sentenceOf } from "../../platform/api/client";
import { keys, staleBy } from "../../platform/api/keys";
import { refresh } from "./data";
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
    // A payment brings minutes, and changes what everything costs.
    const stale = [keys.user, keys.minutesLeft, keys.ledger, keys.invoices(""), keys.previews];
    await Promise.all(stale.map((key) => mutate(staleBy(key))));
  };
  const run = async (change: () => Promise<Billing>, fallback: string) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await show(await change());
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.code === "amount_changed") {
        await Promise.all([mutate(keys.billing), mutate(staleBy(keys.previews))]);
      }
      setProblem(sentenceOf(error, fallback));
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
