import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { sentenceOf } from "../../platform/api/client";
import { t } from "../../platform/messages/billing";
import { checkCoupon, FALLBACKS } from "./data";
import type { Coupon } from "./types";
import styles from "./billing.module.css";

interface Props {
  coupon: Coupon | undefined;
  onCoupon: (coupon: Coupon | undefined) => void;
}

/** A coupon or a promotion code: check it before paying. */
export function CouponField({ coupon, onCoupon }: Props) {
  const [open, setOpen] = useState(false);
  const [code, setCode] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  if (coupon !== undefined) {
    return (
      <p className={styles.couponHeld} role="status">
        <span>
          <strong>{coupon.code}</strong>: {coupon.label}
        </span>
        <Button size="compact-sm" variant="subtle" onClick={() => onCoupon(undefined)}>
          {t("remove")}
        </Button>
      </p>
    );
  }
  if (!open) {
    return (
      <Button size="compact-sm" variant="subtle" onClick={() => setOpen(true)} w="fit-content">
        {t("coupon.have")}
      </Button>
    );
  }
  const check = async () => {
    if (code.trim() === "") return;
    setBusy(true);
    setProblem(undefined);
    try {
      onCoupon(await checkCoupon(code.trim()));
    } catch (error) {
      setProblem(sentenceOf(error, FALLBACKS.coupon));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={styles.coupon}>
      <TextInput
        label={t("coupon")}
        value={code}
        maxLength={100}
        autoFocus
        error={problem}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          void check();
        }}
      />
      <Button variant="default" loading={busy} onClick={() => void check()}>
        {t("apply")}
      </Button>
    </div>
  );
}
