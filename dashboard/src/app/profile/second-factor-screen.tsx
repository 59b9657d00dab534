import { useQueryClient } from '@tanstack/react-query'
import { fieldWords } from '../../both/field-words.ts'
import { Page } from '../../both/layout/page.tsx'
import { SecondFactor } from '../../both/second-factor/second-factor.tsx'
import { meKey, useMe } from '../me.ts'

export default function SecondFactorScreen() {
  const queries = useQueryClient()
  return (
    <Page title={fieldWords.secondFactor}>
      <SecondFactor
        isOn={useMe().person.has_two_factor}
        face="/app/api"
        onChanged={() => void queries.invalidateQueries({ queryKey: meKey })}
      />
    </Page>
  )
}
