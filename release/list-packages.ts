/** A package as CycloneDX names it: https://cyclonedx.org/docs/1.5/json/#components */
type Component = {
  readonly name: string
  readonly version: string
  /** `optional` for what only developers install. */
  readonly scope: 'required' | 'optional'
  readonly licenses?: readonly {
    readonly expression?: string
    readonly license?: { readonly id?: string; readonly name?: string }
  }[]
}

export type BillOfMaterials = {
  readonly serialNumber?: string
  readonly metadata: { readonly timestamp: string; readonly component: { readonly name: string } }
  readonly components: readonly Component[]
}

/**
 * Takes out of npm's bill what differs from one run to the next: a random number, the moment, and the name of the folder it
 * was made in.
 *
 * @param moment that the bill shall have, in ISO 8601
 */
export function makeRepeatable(bill: BillOfMaterials, moment: string): BillOfMaterials {
  const { serialNumber: _random, metadata, ...rest } = bill
  return { ...rest, metadata: { ...metadata, timestamp: moment, component: { ...metadata.component, name: 'makola' } } }
}

function licenceOf({ licenses = [] }: Component): string {
  const names = licenses.map(({ expression, license }) => expression ?? license?.id ?? license?.name)
  return names.filter((name) => name !== undefined).join(' AND ') || 'named in the package itself'
}

/** The licences of all packages, as text: first what every installation has, then what developers have besides. */
export function writeLicences({ components }: BillOfMaterials): string {
  const lines = (scope: Component['scope']) =>
    components
      .filter((component) => component.scope === scope)
      .map((component) => `${component.name} ${component.version}: ${licenceOf(component)}`)
      .toSorted()
  return [
    'Makola is under the Apache License 2.0, see LICENSE. It is made with these packages.',
    '\nIn every installation:\n',
    ...lines('required'),
    '\nFor some systems (Node, the embedded PostgreSQL), in the built pages, or for developers alone:\n',
    ...lines('optional'),
    '',
  ].join('\n')
}
