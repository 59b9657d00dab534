import { exampleBody, exampleParameter } from './make-example.ts'
import type { Operation } from './openapi.ts'

/** One request, or a program of the guides, in one language. It reads the key from the environment variable MAKOLA_KEY. */
export type Sample = { readonly language: string; readonly name: string; readonly code: string }

type Call = { readonly method: string; readonly url: string; readonly body: unknown; readonly needsKey: boolean }

/**
 * The example call of an endpoint, with its required parameters. If no query parameter is required, it has the first one,
 * except `after`, because a list is read from its beginning.
 */
export function exampleCall(operation: Operation, apiUrl: string): Call {
  const valueOf = (name: string) => {
    const parameter = operation.parameters.find((each) => each.name === name)
    return parameter === undefined ? name : String(exampleParameter(operation, parameter))
  }
  const path = operation.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(valueOf(name)))
  const queryable = operation.parameters.filter((parameter) => parameter.in === 'query' && parameter.name !== 'after')
  const required = queryable.filter((parameter) => parameter.required === true)
  const shown = required.length > 0 ? required : queryable.slice(0, 1)
  const query = new URLSearchParams(Object.fromEntries(shown.map(({ name }) => [name, valueOf(name)]))).toString()
  return {
    method: operation.method,
    url: `${apiUrl}${path}${query === '' ? '' : `?${query}`}`,
    body: exampleBody(operation),
    needsKey: operation.needsKey,
  }
}

const shellWord = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

function curl({ method, url, body, needsKey }: Call): string {
  const words = [
    'curl --fail-with-body --max-time 30',
    shellWord(url),
    ...(method === 'POST' && body === undefined ? ['-X POST'] : []),
    ...(needsKey ? ['-H "Authorization: $MAKOLA_KEY"'] : []),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${shellWord(JSON.stringify(body, null, 2))}`]),
  ]
  return words.join(' \\\n  ')
}

const keyIsIdentifier = /^[A-Za-z_$][\w$]*$/

function jsValue(value: unknown, depth = ''): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = `${depth}  `
  if (Array.isArray(value)) {
    return value.length === 0 ? '[]' : `[\n${value.map((item) => `${inner}${jsValue(item, inner)},\n`).join('')}${depth}]`
  }
  const lines = Object.entries(value).map(([name, each]) => {
    const key = keyIsIdentifier.test(name) ? name : jsValue(name)
    return `${inner}${key}: ${jsValue(each, inner)},\n`
  })
  return lines.length === 0 ? '{}' : `{\n${lines.join('')}${depth}}`
}

function javascript({ method, url, body, needsKey }: Call): string {
  const headers = [
    ...(needsKey ? ['    Authorization: process.env.MAKOLA_KEY,\n'] : []),
    ...(body === undefined ? [] : ["    'Content-Type': 'application/json',\n"]),
  ]
  return [
    `const response = await fetch(${jsValue(url)}, {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0 ? [] : [`  headers: {\n${headers.join('')}  },`]),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${jsValue(body, '  ')}),`]),
    '  signal: AbortSignal.timeout(30_000),',
    '})',
    'const answer = await response.json()',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the sample itself has a template.
    'if (!answer.success) throw new Error(`${answer.error.code}: ${answer.error.message}`)',
    'console.log(answer.data)',
  ].join('\n')
}

function phpValue(value: unknown, depth: string): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = `${depth}    `
  const lines = Array.isArray(value)
    ? value.map((item) => `${inner}${phpValue(item, inner)},\n`)
    : Object.entries(value).map(([name, each]) => `${inner}${phpValue(name, inner)} => ${phpValue(each, inner)},\n`)
  return lines.length === 0 ? '[]' : `[\n${lines.join('')}${depth}]`
}

function php({ method, url, body, needsKey }: Call): string {
  const headers = [
    ...(needsKey ? ["        'Authorization: ' . getenv('MAKOLA_KEY'),\n"] : []),
    ...(body === undefined ? [] : ["        'Content-Type: application/json',\n"]),
  ]
  return [
    '<?php',
    `$request = curl_init(${phpValue(url, '')});`,
    'curl_setopt_array($request, [',
    ...(method === 'GET' ? [] : [`    CURLOPT_CUSTOMREQUEST => '${method}',`]),
    ...(headers.length === 0 ? [] : [`    CURLOPT_HTTPHEADER => [\n${headers.join('')}    ],`]),
    ...(body === undefined ? [] : [`    CURLOPT_POSTFIELDS => json_encode(${phpValue(body, '    ')}),`]),
    '    CURLOPT_RETURNTRANSFER => true,',
    '    CURLOPT_TIMEOUT => 30,',
    ']);',
    '$text = curl_exec($request);',
    'if ($text === false) {',
    '    throw new Exception(curl_error($request));',
    '}',
    '$answer = json_decode($text, true);',
    "if (!$answer['success']) {",
    "    throw new Exception($answer['error']['code'] . ': ' . $answer['error']['message']);",
    '}',
    "print_r($answer['data']);",
  ].join('\n')
}

const pythonWords: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' }

function pythonValue(value: unknown, depth: string): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value !== 'object' || value === null) return pythonWords[String(value)] ?? String(value)
  const inner = `${depth}    `
  if (Array.isArray(value)) {
    return value.length === 0 ? '[]' : `[\n${value.map((item) => `${inner}${pythonValue(item, inner)},\n`).join('')}${depth}]`
  }
  const lines = Object.entries(value).map(([name, each]) => `${inner}${JSON.stringify(name)}: ${pythonValue(each, inner)},\n`)
  return lines.length === 0 ? '{}' : `{\n${lines.join('')}${depth}}`
}

function python({ method, url, body, needsKey }: Call): string {
  const headers = [
    ...(needsKey ? ['        "Authorization": os.environ["MAKOLA_KEY"],\n'] : []),
    ...(body === undefined ? [] : ['        "Content-Type": "application/json",\n']),
  ]
  return [
    'import json, os, urllib.error, urllib.request',
    '',
    'request = urllib.request.Request(',
    `    ${JSON.stringify(url)},`,
    ...(method === 'GET' ? [] : [`    method="${method}",`]),
    ...(headers.length === 0 ? [] : [`    headers={\n${headers.join('')}    },`]),
    ...(body === undefined ? [] : [`    data=json.dumps(${pythonValue(body, '    ')}).encode(),`]),
    ')',
    'try:',
    '    with urllib.request.urlopen(request, timeout=30) as response:',
    '        print(json.load(response)["data"])',
    'except urllib.error.HTTPError as refusal:',
    '    error = json.load(refusal)["error"]',
    "    raise SystemExit(f\"{error['code']}: {error['message']}\")",
  ].join('\n')
}

export function writeSamples(operation: Operation, apiUrl: string): Sample[] {
  const call = exampleCall(operation, apiUrl)
  return [
    { language: 'curl', name: 'curl', code: curl(call) },
    { language: 'javascript', name: 'JavaScript', code: javascript(call) },
    { language: 'php', name: 'PHP', code: php(call) },
    { language: 'python', name: 'Python', code: python(call) },
  ]
}
