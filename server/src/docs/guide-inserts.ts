import { limits, type RateLimit } from '../platform/http/limits/rate-limits.ts'
import { type Refusal, refusals } from '../platform/http/refusals.ts'
import { type Html, html } from './html.ts'
import type { OperationGroup } from './openapi.ts'
import type { Inserts } from './render-markdown.ts'
import { renderMethod } from './render-operation.ts'
import { renderSamples } from './render-samples.ts'
import { renderTable } from './render-table.ts'
import { type Sample, writeSamples } from './write-samples.ts'

/** Example values for refusals whose text depends on the request. */
const placeholders: Readonly<Record<string, readonly unknown[]>> = { rateLimited: [12], duplicatePayment: [30] }

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
  const heads = [html`Code`, html`X-Error-Reason`, html`Message`]
  const rows = listRefusals().map(({ status, reason, message }) => [
    html`<b>${status}</b>`,
    html`<code>${reason}</code>`,
    html`${message}`,
  ])
  return renderTable(heads, rows, 'Errors')
}

function limitsTable(): Html {
  const heads = [html`Endpoint`, html`Per key and minute`]
  const rows = Object.values<RateLimit>(limits).map(({ name, perMinute }) => [
    html`<code>${name}</code>`,
    perMinute === undefined ? html`<span class="unset">no limit by default</span>` : html`${perMinute}`,
  ])
  return renderTable(heads, rows, 'Rate limits')
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

/** The parts that guides may insert. They are made from the code, so no page can be out of date. */
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
