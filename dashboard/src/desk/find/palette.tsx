import { FindDialog } from '../../both/find/find-dialog.tsx'
import { useDeskMe } from '../me.ts'
import { deskFindWords } from '../words/frame.ts'
import { keepRecent, useChoices } from './use-choices.ts'

/** The search of the desk: orders, accounts and other records by any text, screens and commands. */
export default function Palette({ onClose }: { readonly onClose: () => void }) {
  const { person } = useDeskMe()
  return (
    <FindDialog
      face="/desk/api"
      hint={deskFindWords.hint}
      useFound={useChoices}
      onOpen={(chosen) => keepRecent(person.person_id, chosen)}
      onClose={onClose}
    />
  )
}
