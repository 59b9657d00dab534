import { createHash } from 'node:crypto'
import type { IncidentLevel } from '../notices/incidents/incidents.tables.ts'
import { type Html, html, trusted } from '../platform/html.ts'
import type { ServiceState } from './decide-state.ts'
import { daysShown, type Service, type Status } from './read-status.ts'

const style = `
:root{color-scheme:light dark;--page:#f3f4f1;--card:#fff;--ink:#1b211d;--soft:#5a645d;--line:#dfe3de;--none:#d5dad4;--green:#14683f;--gold:#8a5a00;--red:#a3261d}
@media(prefers-color-scheme:dark){:root{--page:#111512;--card:#1a201c;--ink:#edf1ee;--soft:#a3ada6;--line:#323a35;--none:#3b443e;--green:#6fd3a0;--gold:#f0c46a;--red:#ff9d92}}
*{box-sizing:border-box}
body{margin:0;padding:1.25rem 1rem 3rem;background:var(--page);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
body>*{max-width:56rem;margin-inline:auto}
header{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:center;gap:.25rem 1rem;color:var(--soft)}
header b{color:var(--ink)}
a{color:var(--green);text-underline-offset:.18em}
a:focus-visible{outline:3px solid var(--green);outline-offset:2px;border-radius:.25rem}
h1{margin:1rem 0 .25rem;font-size:clamp(1.625rem,1.3rem + 1.6vw,2.25rem);line-height:1.2;letter-spacing:-.02em}
h2{margin:2rem 0 .75rem;font-size:1.25rem;line-height:1.3}
h3{margin:0;font-size:1rem}
p{margin:0}
.soft{color:var(--soft)}
.old{margin-top:1rem;padding:.75rem 1rem;border:1px solid var(--gold);border-radius:.75rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:1rem;overflow:hidden}
ul{list-style:none;margin:0;padding:0}
li{padding:.875rem 1rem;border-top:1px solid var(--line)}
li:first-child{border-top:0}
.service{display:grid;gap:.25rem 1rem;grid-template-columns:1fr auto}
.service svg{grid-column:1/-1;display:block;width:100%;height:1.75rem}
.service .soft{grid-column:1/-1;font-size:.875rem;font-variant-numeric:tabular-nums}
.working{color:var(--green)}.slow,.failing,.paused,.trouble{color:var(--gold)}.broken,.outage{color:var(--red)}.off{color:var(--soft)}
b,h3{font-weight:650}
path{fill:none;stroke-width:10;stroke-dasharray:.64 .36}
.none{stroke:var(--none)}.good{stroke:var(--green)}.poor{stroke:var(--gold)}.bad{stroke:var(--red)}
.ends{display:flex;justify-content:space-between;padding:.5rem 1rem .75rem;border-top:1px solid var(--line);font-size:.8125rem;color:var(--soft)}
@media(max-width:15em){.service{grid-template-columns:1fr}}
@media(min-width:48rem){.service{grid-template-columns:13rem 1fr auto;align-items:center}.service svg{grid-column:auto;height:2rem}.service b{min-width:9rem;text-align:right}.service .soft{grid-column:2/-1}.service h3{order:0}.service svg{order:1}.service b{order:2}.service .soft{order:3}.ends{padding-inline:15rem 11rem}}
`

const styleHash = createHash('sha256').update(style).digest('base64')

/** The page may hold its own style and show its icon. It runs no script, sends no form, and nobody may put it into a frame. */
export const statusPagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const stateWords: Readonly<Record<ServiceState, string>> = {
  working: 'Works',
  slow: 'Slow',
  failing: 'Some orders fail',
  broken: 'Most orders fail',
  paused: 'Orders wait',
  off: 'Not sold now',
}

export const levelWords: Readonly<Record<IncidentLevel, string>> = { news: 'News', trouble: 'Trouble', outage: 'Outage' }

const moments = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Africa/Accra',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

const time = (moment: Date) => html`<time datetime="${moment.toISOString()}">${moments.format(moment)}</time>`

const percent = (share: number) => `${(Math.floor(share * 1_000) / 10).toLocaleString('en-GB')}%`

function wait(seconds: number): string {
  if (seconds < 1) return 'less than a second'
  if (seconds < 90) return `${Math.round(seconds)} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}

/** The lowest share of deliveries for each colour of a day. */
const leastShares = [
  ['good', 0.95],
  ['poor', 0.8],
  ['bad', 0],
] as const

const colourOf = (share: number | null) => leastShares.find(([, least]) => share !== null && share >= least)?.[0] ?? 'none'

/** Draws consecutive days of one colour as one dashed line. Each dash is the bar of one day. */
function bars({ days }: Service): Html {
  const colours = days.map(colourOf)
  const runs = colours.flatMap((colour, nth) => {
    if (colour === colours[nth - 1]) return []
    const next = colours.findIndex((other, place) => place > nth && other !== colour)
    return [html`<path class="${colour}" d="M${nth}.2 5H${next === -1 ? days.length : next}"/>`]
  })
  const known = days.filter((share) => share !== null)
  const worse = known.filter((share) => colourOf(share) !== 'good').length
  const says =
    known.length === 0
      ? `Nothing is known of the last ${daysShown} days.`
      : `Of the ${known.length} days with enough orders, ${worse} had fewer than 95% delivered.`
  return html`<svg viewBox="0 0 ${daysShown} 10" preserveAspectRatio="none" role="img" aria-label="${says}">${runs}</svg>`
}

function lastHour({ success, deliverySeconds }: Service): string {
  if (success === null) return 'Last hour: too few orders to say'
  const half = deliverySeconds === null ? '' : `, half of them within ${wait(deliverySeconds)}`
  return `Last hour: ${percent(success)} delivered${half}`
}

function renderService(service: Service): Html {
  return html`<li class="service"><h3>${service.network ?? 'All orders'}</h3><b class="${service.state}">${
    stateWords[service.state]
  }</b>${bars(service)}<p class="soft">${lastHour(service)}</p></li>`
}

function renderProduct([title, services]: readonly [string, readonly Service[]]): Html {
  return html`<h2>${title}</h2><div class="card"><ul>${services.map(renderService)}</ul>
<p class="ends"><span>${daysShown} days ago</span><span>Today</span></p></div>`
}

function renderIncidents({ incidents }: Status): Html {
  if (incidents.length === 0) return html`<p class="soft">None in the last ${daysShown} days.</p>`
  return html`<div class="card"><ul>${incidents.map(
    ({ level, message, shownFrom, overAt }) =>
      html`<li><b class="${level}">${levelWords[level]}</b> ${message}<p class="soft">${time(shownFrom)} – ${
        overAt === null ? 'not over yet' : time(overAt)
      }</p></li>`,
  )}</ul></div>`
}

/** The overall state in one sentence. An open incident takes precedence over the figures. */
export function headline({ services, incidents }: Status): { readonly tone: string; readonly says: string } {
  const open = incidents.filter(({ overAt }) => overAt === null)
  const [worst] = open.toSorted((one) => (one.level === 'outage' ? -1 : 1))
  if (worst) return { tone: worst.level, says: worst.level === 'outage' ? 'There is an outage' : 'There is trouble' }
  const troubled = services.filter(({ state }) => state !== 'working' && state !== 'off')
  if (troubled.length === 0) return { tone: 'working', says: 'Everything works' }
  const isBroken = troubled.some(({ state }) => state === 'broken')
  const count = troubled.length === 1 ? 'One service has trouble' : `${troubled.length} services have trouble`
  return { tone: isBroken ? 'broken' : 'slow', says: count }
}

/** @param isOld true when newer figures cannot be read, above all while the database does not answer */
export function renderStatusPage(status: Status, isOld: boolean): string {
  const { tone, says } = headline(status)
  const title = isOld ? 'State unknown' : says
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Makola status</title>
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<link rel="alternate" type="application/atom+xml" href="/status.atom" title="Incidents">
<style>${trusted(style)}</style>
</head>
<body>
<header><b>Makola status</b><span><a href="/docs">Documentation</a> · <a href="/status.atom">Feed</a></span></header>
<main>
<h1 class="${isOld ? 'slow' : tone}">${title}</h1>
<p class="soft">Read at ${time(status.readAt)}, Ghana time.</p>
${isOld && html`<p class="old">Since then the figures cannot be read. What follows is the state at that time.</p>`}
${[...Map.groupBy(status.services, ({ title: product }) => product)].map(renderProduct)}
<h2 id="incidents">Incidents</h2>
${renderIncidents(status)}
</main>
</body>
</html>
`.html
}

/** The page of a process that has just started and has no answer of its database yet. */
export function renderUnknownPage(): string {
  return renderStatusPage({ readAt: new Date(), services: [], incidents: [] }, true)
}
