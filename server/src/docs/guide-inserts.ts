import { limits, type RateLimit } from '../platform/http/rate-limits.ts'
import { type Refusal, refusals } from '../platform/http/refusals.ts'
import { type Html, html } from './html.ts'
import type { OperationGroup } from './openapi.ts'
import type { Inserts } from './render-markdown.ts'
import { renderMethod } from './render-operation.ts'
import { renderSamples } from './render-samples.ts'
import { type Sample, writeSamples } from './write-samples.ts'

/** What a refusal that depends on the request says of it, for the table. */
const placeholders: Readonly<Record<string, readonly unknown[]>> = { rateLimited: [12] }

/** Every refusal there is, once per status, reason and text, by status. */
export function listRefusals(): Refusal[] {
  const all = Object.entries(refusals).map(([name, refusal]): Refusal => {
    if (typeof refusal !== 'function') return refusal
    const values = placeholders[name] ?? Array.from({ length: refusal.length }, () => '…')
    return (refusal as (...values: readonly unknown[]) => Refusal)(...values)
  })
  return all.toSorted((a, b) => a.status - b.status)
}

function errorsTable(): Html {
  return html`<div class="table" tabindex="0" role="region" aria-label="Errors"><table>
<thead><tr><th scope="col">Code</th><th scope="col"><code>X-Error-Reason</code></th><th scope="col">Message</th></tr></thead>
<tbody>${listRefusals().map(
    ({ status, reason, message }) => html`<tr><td><b>${status}</b></td><td><code>${reason}</code></td><td>${message}</td></tr>\n`,
  )}</tbody></table></div>`
}

function limitsTable(): Html {
  return html`<div class="table" tabindex="0" role="region" aria-label="Rate limits"><table>
<thead><tr><th scope="col">Endpoint</th><th scope="col">Requests per key and minute</th></tr></thead>
<tbody>${Object.values<RateLimit>(limits).map(
    ({ name, perMinute }) =>
      html`<tr><td><code>${name}</code></td><td>${perMinute ?? html`<span class="optional">no limit by default</span>`}</td></tr>\n`,
  )}</tbody></table></div>`
}

function endpointList(groups: readonly OperationGroup[]): Html {
  return html`<div class="cards">${groups.map(
    ({ tag, slug, operations }) =>
      html`<section class="card"><h3><a href="/docs/reference/${slug}">${tag}</a></h3><ul>${operations.map(
        ({ id, method, path, summary }) =>
          html`<li><a href="/docs/reference/${slug}#${id}">${renderMethod(method)} <code>${path}</code><span>${summary}</span></a></li>`,
      )}</ul></section>\n`,
  )}</div>`
}

export type InsertSource = {
  readonly groups: readonly OperationGroup[]
  readonly apiUrl: string
  /** The programs of `docs/api/programs` by name, each in its languages. */
  readonly programs: ReadonlyMap<string, readonly Sample[]>
}

/** What the guides may insert: parts that follow the code, so that no page can lag behind it. */
export function guideInserts({ groups, apiUrl, programs }: InsertSource): Inserts {
  return {
    errors: errorsTable,
    limits: limitsTable,
    endpoints: () => endpointList(groups),
    samples: (id = '') => {
      const operation = groups.flatMap(({ operations }) => operations).find((each) => each.id === id)
      if (!operation) throw new Error(`a page inserts the samples of ${id}, which is no endpoint`)
      return renderSamples(writeSamples(operation, apiUrl), `sample-${id}`, operation.summary)
    },
    program: (name = '') => {
      const samples = programs.get(name)
      if (!samples) throw new Error(`a page inserts the program ${name}, which is not in docs/api/programs`)
      return renderSamples(samples, `program-${name}`, 'Program')
    },
  }
}
