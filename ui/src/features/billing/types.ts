import type { Schemas } from "../../platform/api/client";

export type Billing = Schemas["BillingOut"];
export type Subscription = Schemas["SubscriptionOut"];
export type Plan = Schemas["PlanOut"];
export type Invoice = Schemas["InvoiceOut"];
export type Coupon = Schemas["CouponOut"];
export type Preview = Schemas["PreviewOut"];
export type PaymentStep = Schemas["PaymentOut"];
export type Tier = Schemas["PlanTier"];
export type Period = Schemas["BillingPeriod"];
export type BillingConfig = NonNullable<Schemas["PublicConfig"]["billing"]>;
