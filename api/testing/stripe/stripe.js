/*
 * A stand-in for Stripe.js: the few parts that the pages use, against the stand-in server. No card is ever charged.
 */
(() => {
  "use strict";
  const base = new URL(document.currentScript.src).origin;

  const call = async (path, body) => {
    try {
      const response = await fetch(`${base}/_js/${path}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      return await response.json();
    } catch {
      return { error: { type: "api_connection_error", message: "The payment provider could not be reached." } };
    }
  };
  const idOf = (secret) => secret.split("_secret_")[0];

  /** The bank's question. Resolves to whether the customer passed. */
  const authenticate = () =>
    new Promise((resolve) => {
      const dialog = document.createElement("dialog");
      dialog.setAttribute("aria-label", "Your bank");
      dialog.style.cssText =
        "max-width:360px;padding:24px;border:0;border-radius:14px;font:inherit;background:#fff;color:#1b2220;z-index:9999";
      dialog.innerHTML =
        "<h2 style='margin:0 0 8px;font-size:1.15rem'>Your bank asks</h2>" +
        "<p style='margin:0 0 18px'>Is it you who is paying? This is a demonstration: nothing is charged.</p>" +
        "<div style='display:flex;gap:8px;justify-content:flex-end'>" +
        "<button type='button' data-answer='no' style='padding:9px 14px;border:1px solid #cdc9bd;border-radius:9px;background:#fff;color:inherit;font:inherit'>Fail</button>" +
        "<button type='button' data-answer='yes' style='padding:9px 14px;border:0;border-radius:9px;background:#1d5f54;color:#fff;font:inherit'>Yes, pay</button></div>";
      const finish = (answer) => {
        dialog.close();
        dialog.remove();
        resolve(answer);
      };
      dialog.addEventListener("cancel", (event) => {
        event.preventDefault();
        finish(false);
      });
      dialog.addEventListener("click", ({ target }) => {
        const answer = target.dataset?.answer;
        if (answer !== undefined) finish(answer === "yes");
      });
      document.body.append(dialog);
      dialog.showModal();
    });

  const field = (label, placeholder, width, autocomplete) => {
    const wrap = document.createElement("label");
    wrap.style.cssText = `display:grid;gap:4px;flex:1 1 ${width};min-width:0;font-size:0.875rem;font-weight:500`;
    wrap.append(label);
    const input = document.createElement("input");
    input.placeholder = placeholder;
    input.inputMode = "numeric";
    input.autocomplete = autocomplete;
    input.style.cssText =
      "min-height:40px;min-width:0;padding:0 12px;border:1px solid var(--p-line,#cdc9bd);border-radius:9px;background:transparent;color:inherit;font:inherit";
    wrap.append(input);
    return { wrap, input };
  };

  class PaymentElement {
    constructor(look) {
      this.look = look;
      this.listeners = {};
    }
    mount(target) {
      const node = typeof target === "string" ? document.querySelector(target) : target;
      const root = document.createElement("div");
      root.style.cssText = "display:flex;flex-wrap:wrap;gap:12px";
      const note = document.createElement("p");
      note.style.cssText = "flex:1 1 100%;margin:0;font-size:0.82rem;opacity:0.8";
      note.textContent = "Demonstration: no card is charged. Use 4242 4242 4242 4242, any future date and any code.";
      this.number = field("Card number", "1234 1234 1234 1234", "100%", "cc-number");
      this.expiry = field("Expiry date", "MM / YY", "40%", "cc-exp");
      this.code = field("Security code", "CVC", "40%", "cc-csc");
      root.append(note, this.number.wrap, this.expiry.wrap, this.code.wrap);
      root.style.setProperty("--p-line", this.look?.variables?.colorTextPlaceholder ?? "#cdc9bd");
      node.replaceChildren(root);
      this.root = root;
      const changed = () => this.listeners.change?.({ complete: this.problem() === undefined });
      root.addEventListener("input", changed);
      queueMicrotask(() => this.listeners.ready?.());
    }
    on(name, listener) {
      this.listeners[name] = listener;
      return this;
    }
    update() {}
    unmount() {
      this.root?.remove();
    }
    destroy() {
      this.unmount();
    }
    value() {
      const [month = "", year = ""] = this.expiry.input.value.split(/\s*\/\s*/);
      return {
        number: this.number.input.value.replace(/\D/g, ""),
        month: Number(month),
        year: 2000 + Number(year),
      };
    }
    problem() {
      const { number, month, year } = this.value();
      if (number.length < 12) return "Your card number is incomplete.";
      if (!(month >= 1 && month <= 12) || !(year > 2000)) return "Your card's expiration date is incomplete.";
      if (new Date(year, month, 1) <= new Date()) return "Your card's expiration year is in the past.";
      if (!/^\d{3,4}$/.test(this.code.input.value.trim())) return "Your card's security code is incomplete.";
      return undefined;
    }
  }

  window.Stripe = (key) => ({
    elements({ clientSecret, appearance } = {}) {
      const held = { clientSecret };
      held.create = () => (held.payment = new PaymentElement(appearance));
      held.submit = async () => {
        const message = held.payment.problem();
        return message === undefined ? {} : { error: { type: "validation_error", message } };
      };
      held.update = () => undefined;
      return held;
    },
    async confirmSetup({ elements }) {
      const { error } = await elements.submit();
      if (error !== undefined) return { error };
      const secret = elements.clientSecret;
      const path = `setup_intents/${idOf(secret)}`;
      let intent = await call(`${path}/confirm`, { key, client_secret: secret, ...elements.payment.value() });
      if (intent.status === "requires_action") {
        const success = await authenticate();
        intent = await call(`${path}/authenticate`, { key, client_secret: secret, success });
        if (!success)
          return { error: { type: "card_error", message: "We are unable to authenticate your payment method." } };
      }
      return intent.error !== undefined ? { error: intent.error } : { setupIntent: intent };
    },
    async confirmPayment({ clientSecret, confirmParams = {} }) {
      const path = `payment_intents/${idOf(clientSecret)}`;
      const sent = { key, client_secret: clientSecret };
      let intent = await call(`${path}/confirm`, { ...sent, payment_method: confirmParams.payment_method });
      if (intent.status === "requires_action") {
        intent = await call(`${path}/authenticate`, { ...sent, success: await authenticate() });
      }
      const error = intent.error ?? intent.last_payment_error;
      return intent.status !== "succeeded" && error ? { error } : { paymentIntent: intent };
    },
  });
})();
