import { helpWords as words } from '../words/help.ts'
import { Contacts } from './contacts.tsx'
import css from './help.module.css'

/** For somebody at the sign-in who has neither the second factor nor a back-up code. */
export default function LostFactor() {
  return (
    <section className={css.part} aria-label={words.lostTitle}>
      <b>{words.lostTitle}</b>
      <p>{words.lost}</p>
      <Contacts />
    </section>
  )
}
