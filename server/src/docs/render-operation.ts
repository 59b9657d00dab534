import { type Html, html } from '../platform/html.ts'
import { exampleAnswers, formsOf } from './example-answers.ts'
import { exampleBody } from './make-example.ts'
import type { Answer, Operation } from './openapi.ts'
import { renderCode, renderSamples, renderText } from './page-pieces.ts'
import { renderFields, renderParameters } from './render-fields.ts'
import { writeSamples } from './write-samples.ts'

export function renderMethod(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`
}

const json = (value: unknown) => JSON.stringify(value, null, 2)

function renderRequest(operation: Operation): Html {
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path')
  const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query')
  return html`${inPath.length > 0 && html`<h3>In the path</h3>${renderParameters(inPath)}`}
${inQuery.length > 0 && html`<h3>In the query</h3>${renderParameters(inQuery)}`}
${operation.body && html`<h3>Body</h3>${renderFields(operation.body, { isRequest: true })}`}`
}

function renderAnswerFields(operation: Operation): Html {
  const success = operation.answers.find(({ status }) => status < 300)
  const data = success?.schema?.properties?.['data']
  if (!data) return html``
  const forms = formsOf(data)
  return html`<h3>Answer</h3><p class="aside">These stand in <code>data</code> of the <a href="/docs/requests#envelope">envelope</a>.</p>
${forms.map((form) => html`${forms.length > 1 && html`<h4>${form.description ?? ''}</h4>`}${renderFields(form, { isRequest: false })}`)}`
}

function renderAnswerExample(operation: Operation, answer: Answer): Html {
  const examples = exampleAnswers(operation, answer)
  const kind = answer.status < 300 ? 'good' : answer.status < 500 ? 'refused' : 'broken'
  return html`<details class="answer"${answer.status < 300 ? html` open` : null}>
<summary><b class="${kind}">${answer.status}</b> <span>${renderText(answer.description)}</span></summary>
${examples.length === 0 && html`<p class="aside">Without a body.</p>`}
${examples.map(({ summary, value }) => html`${examples.length > 1 && html`<p class="aside">${summary}</p>`}${renderCode(json(value), `Example of an answer ${answer.status}${examples.length > 1 ? `. ${summary}` : ''}`, 'json')}`)}
</details>
`
}

/** True for the sentences about the key and the rate limit. */
const isFact = (paragraph: string) => /^(Takes an? \w+ key|Rate limit:|No rate limit)/.test(paragraph)

/** Renders one endpoint: its description and fields on one side, samples and answers on the other. */
export function renderOperation(operation: Operation, apiUrl: string): Html {
  const body = exampleBody(operation)
  return html`<section class="operation" id="${operation.id}" aria-labelledby="${operation.id}-title">
<div class="explains">
<h2 id="${operation.id}-title"><a href="#${operation.id}">${operation.summary}</a></h2>
<p class="address">${renderMethod(operation.method)} <code>${operation.path.split('/').map((step, index) => html`${index === 0 ? null : html`/<wbr>`}${step}`)}</code></p>
${operation.description.map((paragraph) => html`<p${isFact(paragraph) && html` class="fact"`}>${renderText(paragraph)}</p>\n`)}
${renderRequest(operation)}
${renderAnswerFields(operation)}
</div>
<div class="shows">
${renderSamples(writeSamples(operation, apiUrl), operation.id, 'Request')}
${body === undefined ? null : html`<details class="answer"><summary><b>Body</b> <span>The request’s body alone</span></summary>${renderCode(json(body), 'Example of the body', 'json')}</details>`}
<h3 class="answers-title">Answers</h3>
${operation.answers.map((answer) => renderAnswerExample(operation, answer))}
</div>
</section>
`
}
