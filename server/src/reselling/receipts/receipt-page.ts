import { createHash } from 'node:crypto'
import { formatGhs } from '../../money/pesewas.ts'
import { networkTitle } from '../../networks/number-plan.ts'
import type { OrderStatus } from '../../orders/order-life-cycle.ts'
import { type Html, html, trusted } from '../../platform/html.ts'
import type { PublicReceipt } from './sale-receipts.ts'

const style = `
:root{color-scheme:light dark;--page:#f3f4f1;--card:#fff;--ink:#1b211d;--soft:#5a645d;--line:#dfe3de;--green:#14683f;--gold:#8a5a00;--red:#a3261d}
@media(prefers-color-scheme:dark){:root{--page:#111512;--card:#1a201c;--ink:#edf1ee;--soft:#a3ada6;--line:#323a35;--green:#6fd3a0;--gold:#f0c46a;--red:#ff9d92}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1rem;background:var(--page);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
main{width:100%;max-width:24rem;background:var(--card);border:1px solid var(--line);border-radius:1rem;padding:1.5rem}
header{display:flex;gap:.75rem;align-items:center;padding-bottom:1rem;border-bottom:1px dashed var(--line)}
header img{width:3rem;height:3rem;object-fit:contain;border-radius:.5rem;background:#fff}
header b{font-size:1.125rem;line-height:1.3}
h1{display:flex;gap:.5rem;align-items:center;margin:1.25rem 0 .25rem;font-size:1.625rem;line-height:1.25}
h1.done{color:var(--green)}h1.wait{color:var(--gold)}h1.fail{color:var(--red)}
h1 svg{flex:none;width:1.75rem;height:1.75rem}
p{margin:0;color:var(--soft)}
dl{margin:1.25rem 0 0}
dl div{display:flex;justify-content:space-between;gap:1rem;padding:.5rem 0;border-top:1px solid var(--line)}
dt{flex:none;color:var(--soft)}dd{margin:0;min-width:0;text-align:right;font-variant-numeric:tabular-nums}
dd.price{font-weight:700}
footer{display:flex;flex-wrap:wrap;gap:.5rem;margin-top:1.25rem}
footer a{flex:1 1 9.5rem;min-height:2.75rem;padding:0 .5rem;text-align:center;display:grid;place-items:center;border:1px solid var(--green);border-radius:.625rem;color:var(--green);font-weight:600;text-decoration:none}
footer a:focus-visible{outline:3px solid var(--green);outline-offset:2px}
@media(max-width:15em){body{padding:.5rem}main{padding:1rem}h1{font-size:1.125rem}h1 svg{width:1.25rem;height:1.25rem}dl div{display:block}dd{text-align:left}}
@media print{body{background:#fff}main{border:0}footer{display:none}}
`

const styleHash = createHash('sha256').update(style).digest('base64')

/** The page may hold its own style and show the shop's logo. It runs no script, and nobody may put it into a frame. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Search engines do not list a receipt, caches do not store it, and links in it do not reveal its address. */
export const receiptHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'cache-control': 'private, no-store',
  'x-robots-tag': 'noindex, nofollow, noarchive',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const

const productNames: Readonly<Record<string, string>> = {
  data: 'data',
  airtime: 'airtime',
  utilities: 'bill',
  results_checker: 'voucher',
  afa: 'AFA registration',
}

/** The goods in words: `MTN 5GB data`, `ECG bill`, `2 × WASSCE voucher`. */
function goodsOf({ product, network, variety, quantity }: PublicReceipt): string {
  const who = network === null ? null : networkTitle(network)
  const words = [who, variety, productNames[product] ?? product].filter((word) => word !== null).join(' ')
  return quantity > 1 ? `${quantity} × ${words}` : words
}

type StatusText = { readonly tone: 'done' | 'wait' | 'fail'; readonly word: string; readonly says: string }

const onItsWay: StatusText = { tone: 'wait', word: 'On its way', says: 'Paid. This page shows when it is delivered.' }
const notDelivered: StatusText = { tone: 'fail', word: 'Not delivered', says: 'Ask the seller about your money.' }

const statusTexts: Readonly<Record<OrderStatus, StatusText>> = {
  queued: onItsWay,
  pending: onItsWay,
  processing: onItsWay,
  completed: { tone: 'done', word: 'Delivered', says: 'Thank you.' },
  failed: notDelivered,
  refunded: notDelivered,
  cancelled: { tone: 'fail', word: 'Cancelled', says: 'Ask the seller about your money.' },
}

/** A circle with a sign in it, in the colour of the word beside it. */
const drawIcon = (path: string) =>
  trusted(
    `<svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"><circle cx="12" cy="12" r="10"/><path d="${path}"/></svg>`,
  )
const icons: Readonly<Record<StatusText['tone'], Html>> = {
  done: drawIcon('M7.5 12.5l3 3 6-6.5'),
  wait: drawIcon('M12 6.5V12l3.5 2'),
  fail: drawIcon('M8.5 8.5l7 7m0-7l-7 7'),
}

const moments = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Africa/Accra',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

/** A page for people. While the order is open, the browser reads it again every half a minute, without a script. */
function page(title: string, body: Html, isOpen = false): string {
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="format-detection" content="telephone=no">
${isOpen && trusted('<meta http-equiv="refresh" content="30">')}
<title>${title}</title>
<style>${trusted(style)}</style>
</head>
<body><main>${body}</main></body>
</html>
`
  return text.html
}

const showPhone = (number: string): string =>
  /^0\d{9}$/.test(number) ? `${number.slice(0, 3)} ${number.slice(3, 6)} ${number.slice(6)}` : number

const fact = (name: string, value: string, isPrice = false) =>
  html`<div><dt>${name}</dt><dd${isPrice && trusted(' class="price"')}>${value}</dd></div>`

/** The receipt of an order as anybody sees it who has the link. */
export function receiptPage(receipt: PublicReceipt, path: string): string {
  const { shopName, shopPhone, hasLogo, recipient, ownPricePesewas, reference, placedAt } = receipt
  const { tone, word, says } = statusTexts[receipt.status]
  const body = html`
<header>${hasLogo && html`<img src="${path}/logo" alt="" width="48" height="48">`}<b>${shopName}</b></header>
<h1 class="${tone}">${icons[tone]}<span>${word}</span></h1>
<p>${says}</p>
<dl>
${fact('What', goodsOf(receipt))}
${recipient !== '' && fact('For', showPhone(recipient))}
${ownPricePesewas !== null && fact('Price', formatGhs(ownPricePesewas), true)}
${fact('Date', moments.format(placedAt))}
${fact('Reference', reference)}
</dl>
${
  shopPhone !== null &&
  html`<footer><a href="tel:+233${shopPhone.slice(1)}">Call ${showPhone(shopPhone)}</a><a href="https://wa.me/233${shopPhone.slice(1)}" rel="noreferrer">WhatsApp</a></footer>`
}`
  return page(`Receipt from ${shopName}`, body, tone === 'wait')
}

export const missingReceiptPage = (): string =>
  page('No receipt', html`<h1>This receipt is not here</h1><p>The link is not complete, or the seller has taken it back.</p>`)

export const tooManyPage = (): string => page('Too many requests', html`<h1>One moment</h1><p>Try again in a minute.</p>`)
