import { exampleAnswers } from './example-answers.ts'
import { exampleBody, exampleParameter } from './make-example.ts'
import { type OpenApiDocument, readOperations } from './openapi.ts'

type Media = { example?: unknown; examples?: Record<string, { summary: string; value: unknown }> }
type Writable = {
  parameters?: { name: string; example?: unknown }[]
  requestBody?: { content?: Record<string, Media> }
  responses?: Record<string, { content?: Record<string, Media> }>
}

const json = 'application/json'

/**
 * Gives every endpoint of the document an example request, which works on an unchanged demo, and an example of each form of its
 * answer. Programs that import the document send these requests.
 */
export function addExamples(document: OpenApiDocument): void {
  // All operations are read before the first example is written, because the examples change the document.
  const operations = readOperations(document).flatMap((group) => group.operations)
  for (const operation of operations) {
    const source = document.paths?.[operation.path]?.[operation.method.toLowerCase()] as Writable | undefined
    for (const parameter of source?.parameters ?? []) {
      const documented = operation.parameters.find(({ name }) => name === parameter.name)
      if (documented) parameter.example = exampleParameter(operation, documented)
    }
    const request = source?.requestBody?.content?.[json]
    if (request) request.example = exampleBody(operation)
    for (const answer of operation.answers.filter(({ status }) => status < 300)) {
      const media = source?.responses?.[String(answer.status)]?.content?.[json]
      const forms = exampleAnswers(operation, answer)
      if (!media) continue
      if (forms.length === 1) media.example = forms[0]?.value
      else media.examples = Object.fromEntries(forms.map(({ name, summary, value }) => [name, { summary, value }]))
    }
  }
}
