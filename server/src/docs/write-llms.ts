import type { OperationGroup } from './openapi.ts'

export type LlmsSource = {
  readonly publicUrl: string
  readonly apiUrl: string
  readonly guides: readonly { readonly href: string; readonly title: string; readonly description: string }[]
  readonly groups: readonly OperationGroup[]
}

/** Writes the map of the documentation for language models, in the form of llmstxt.org. */
export function writeLlms({ publicUrl, apiUrl, guides, groups }: LlmsSource): string {
  return `# Makola API

> Sell data bundles, airtime, results-checker vouchers, AFA registrations, SMS and utility bills in Ghana: JSON over HTTPS, paid from a prepaid wallet.

- All paths are below ${apiUrl}. The key stands in the header \`Authorization\` as it is, without \`Bearer\`.
- Every request that moves money takes a \`reference\`. Store it before sending, and repeat the same one after a time-out or a 5xx: an order exists at most once and is charged at most once. A new reference is a second order.
- 401, 403 and 429 say nothing about an earlier try. Amounts are GHS with at most 2 decimals. Webhooks are signed by Standard Webhooks; the status of an order is the record.

## Guides

${guides.map(({ href, title, description }) => `- [${title}](${publicUrl}${href}): ${description}`).join('\n')}

## Endpoints

${groups
  .map(({ tag, slug, operations }) => {
    const each = operations.map(({ method, path }) => `${method} ${path}`).join(', ')
    return `- [${tag}](${publicUrl}/docs/reference/${slug}): ${each}`
  })
  .join('\n')}

## For programs

- [OpenAPI 3.1](${publicUrl}/openapi.json): every endpoint with schemas, examples and links
`
}
