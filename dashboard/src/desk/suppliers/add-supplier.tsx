import { useLocation } from 'wouter'
import { post, type Schema } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { settingsWords } from '../words/suppliers.ts'

type Adapter = Schema<'DeskSupplierList'>['adapters'][number]

/** A field for the address for each adapter, filled with its usual address. Only the field of the chosen adapter is shown. */
const addressFields = (adapters: readonly Adapter[]) =>
  Object.fromEntries(
    adapters.map(({ adapter, usual_base_url: usual }) => [
      `address of ${adapter}`,
      {
        kind: 'text',
        label: fieldWords.address,
        help: settingsWords.addressHelp,
        lengthMax: 500,
        initial: usual ?? '',
        isShown: ({ format }: { readonly format?: string }) => format === adapter,
      } as const,
    ]),
  )

/** Adds a supplier and opens its panel, where the person sets its credentials and routes next. */
export function AddSupplier({ adapters }: { readonly adapters: readonly Adapter[] }) {
  const [, navigate] = useLocation()
  if (adapters.length === 0) return null
  return (
    <Act
      label={settingsWords.add}
      question={settingsWords.addQuestion}
      reason="needed"
      topics={['suppliers']}
      fields={{
        name: {
          kind: 'text',
          label: fieldWords.name,
          help: settingsWords.nameHelp,
          isNeeded: true,
          pattern: '[a-z0-9][a-z0-9\\-]*',
          lengthMax: 40,
        },
        format: {
          kind: 'choice',
          label: settingsWords.adapter,
          options: adapters.map(({ adapter }) => ({ value: adapter, label: adapter })),
        },
        ...addressFields(adapters),
      }}
      run={(reason, { name, format, ...addresses }) => {
        const address = (addresses as Readonly<Record<string, string>>)[`address of ${format}`]
        return post('/desk/api/suppliers', { supplier: name, adapter: format, reason, ...(address && { base_url: address }) })
      }}
      onDone={({ name }) => navigate(`/suppliers/${name}?part=settings`)}
    />
  )
}
