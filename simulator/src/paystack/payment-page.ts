import type { Payment } from './payment-book.ts'
import { paidWays, webhookWays } from './paystack-behaviour.ts'

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => escapes[sign] ?? sign)

const money = (amount: number, currency: string) => `${currency} ${(amount / 100).toFixed(2)}`

const style = `
body{margin:0;font:16px/1.5 system-ui,sans-serif;background:#eef2f6;color:#12263a}
main{max-width:380px;margin:5vh auto;padding:24px;background:#fff;border-radius:16px;box-shadow:0 6px 24px #12263a22}
h1{font-size:17px;margin:0 0 4px}.sum{font-size:32px;font-weight:700;margin:8px 0 16px}
button{display:block;width:100%;min-height:48px;margin:8px 0;border:1px solid #b9c6d3;border-radius:10px;background:#fff;font:inherit;color:inherit}
button.main{background:#0a6ed1;border-color:#0a6ed1;color:#fff;font-weight:600}
select{width:100%;min-height:44px;font:inherit;margin:4px 0 12px}summary{margin-top:16px;min-height:32px}
.note{color:#52667a;font-size:14px}`

const page = (body: string) =>
  `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><title>Simulated payment</title><style>${style}</style></head><body><main>${body}</main></body></html>`

const words: Readonly<Record<string, string>> = {
  sent: 'comes once',
  lost: 'never comes',
  twice: 'comes twice',
  late: 'comes late',
  forged: 'is signed with another key',
  exactly: 'what was asked for',
  too_little: 'GHS 1 less',
  other_currency: 'in another currency',
}

const options = (ways: readonly string[], chosen: string) =>
  ways.map((way) => `<option value="${way}"${way === chosen ? ' selected' : ''}>${words[way] ?? way}</option>`).join('')

/** The payment page. Its buttons decide the payment; the choices below them add faults. */
export function paymentPage(payment: Payment, chosen: { readonly webhook: string; readonly paid: string }): string {
  const sum = money(payment.requestedAmount, payment.currency)
  return page(`<h1>Simulated payment page</h1><p class="note">${escape(payment.email)} · ${escape(payment.reference)}</p>
<p class="sum">${sum}</p><form method="post">
<button class="main" name="action" value="pay">Pay ${sum}</button>
<button name="action" value="slow">Pay by mobile money, approve in some seconds</button>
<button name="action" value="stay">Pay, and close this page</button>
<button name="action" value="decline">Decline</button>
<button name="action" value="cancel">Go back without paying</button>
<button name="action" value="forge">Pay nothing, and send a forged webhook</button>
<details><summary>What goes wrong</summary>
<label>The webhook <select name="webhook">${options(webhookWays, chosen.webhook)}</select></label>
<label>Paid is <select name="paid">${options(paidWays, chosen.paid)}</select></label></details></form>
<p class="note">No real money moves here.</p>`)
}

/** Shown to a payer who is not redirected to the buyer's page. */
export function paymentEndPage(text: string): string {
  return page(`<h1>${escape(text)}</h1><p class="note">You can close this page.</p>`)
}
