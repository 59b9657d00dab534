import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { post, type Schema } from '../../both/api/call-api.ts'
import { Act } from '../../both/form/act.tsx'
import { typed } from '../../both/form/typed.ts'
import { fieldWords } from '../../both/words.ts'
import { settingsWords } from '../words/suppliers.ts'

type Adapter = Schema<'DeskSupplierList'>['adapters'][number]

/** Adds a supplier and opens its panel, where the person sets its credentials and routes next. */
export function AddSupplier({ adapters }: { readonly adapters: readonly Adapter[] }) {
  const [, navigate] = useLocation()
  const [name, setName] = useState('')
  const [format, setFormat] = useState('')
  const [address, setAddress] = useState<string>()
  const adapter = adapters.find((each) => each.adapter === format) ?? adapters[0]
  if (!adapter) return null
  const baseUrl = address ?? adapter.usual_base_url ?? ''
  return (
    <Act
      label={settingsWords.add}
      question={settingsWords.addQuestion}
      reason="needed"
      topics={['suppliers']}
      onDone={() => navigate(`/suppliers/${name}?part=settings`)}
      run={(reason) =>
        post('/desk/api/suppliers', {
          supplier: name,
          adapter: adapter.adapter,
          reason,
          ...(baseUrl !== '' && { base_url: baseUrl }),
        })
      }
    >
      <TextInput
        label={fieldWords.name}
        description={settingsWords.nameHelp}
        required
        pattern="[a-z0-9][a-z0-9\-]*"
        maxLength={40}
        {...typed(name, (value) => setName(value.trim()))}
      />
      <NativeSelect
        mt={12}
        label={settingsWords.adapter}
        value={adapter.adapter}
        data={adapters.map((each) => each.adapter)}
        onChange={({ currentTarget }) => setFormat(currentTarget.value)}
      />
      <TextInput
        mt={12}
        label={fieldWords.address}
        description={settingsWords.addressHelp}
        maxLength={500}
        {...typed(baseUrl, (value) => setAddress(value.trim()))}
      />
    </Act>
  )
}
