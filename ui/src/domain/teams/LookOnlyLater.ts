import { later } from "../../platform/failure/Later";
import type { LookOnlyProps } from "./LookOnly";

/** `LookOnly` on pages whose first load has neither it nor its sentences. */
export const LookOnlyLater = later<LookOnlyProps>(() => import("./LookOnly"));
