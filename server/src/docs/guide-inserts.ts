import { type Html, html } from '../platform/html.ts'
import type { RateLimit } from '../platform/http/limits/endpoint-limits.ts'
import type { Refusal, Refusals } from '../platform/http/refusals.ts'
import type { OperationGroup } from './openapi.ts'
import { renderSamples, renderTable } from './page-pieces.ts'
import type { Inserts } from './render-markdown.ts'
import { renderMethod } from './render-operation.ts'
import { type Sample, writeSamples } from './write-samples.ts'

/** Lists all refusals by status. Parts that depend on the request are written as `…`. */
function listRefusals(catalogues: readonly Refusals[]): Refusal[] {
  const all = catalogues
    .flatMap((catalogue) => Object.values(catalogue))
    .map((refusal): Refusal => {
      if (typeof refusal !== 'function') return refusal
      return (refusal as (...values: readonly unknown[]) => Refusal)(...Array.from({ length: refusal.length }, () => '…'))
    })
  return all.toSorted((a, b) => a.status - b.status)
}

function errorsTable(catalogues: readonly Refusals[]): Html {
  const heads = [html`Code`, html`X-Error-Reason`, html`Message`]
  const rows = listRefusals(catalogues).map(({ status, reason, message }) => [
    html`<b>${status}</b>`,
    html`<code>${reason}</code>`,
    html`${message}`,
  ])
  return renderTable(heads, rows, 'Errors')
}

function limitsTable(limits: readonly RateLimit[]): Html {
  const heads = [html`Endpoint`, html`Per key and minute`]
  // Routes of the app are left out: no API key can call them.
  const ofKeys = limits.filter(({ name }) => !name.includes(' /app/'))
  const rows = ofKeys.map(({ name, perMinute }) => [
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
  readonly refusals: readonly Refusals[]
  readonly limits: readonly RateLimit[]
}

/** The parts that guides may insert, made from the code and from `docs/api/programs`. */
export function guideInserts({ groups, apiUrl, programs, refusals, limits }: InsertSource): Inserts {
  return {
    errors: () => errorsTable(refusals),
    limits: () => limitsTable(limits),
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
