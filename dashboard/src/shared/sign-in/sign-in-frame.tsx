import type { ReactNode } from 'react'
import { Mark } from '../layout/mark.tsx'
import { OfflineBanner } from '../layout/offline-banner.tsx'
import css from './sign-in.module.css'

/** The frame of the screens that nobody is signed in for: the mark, a word, and the form. */
export function SignInFrame({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <OfflineBanner />
      <main id="main" className={css.frame}>
        <div className={css.brand}>
          <Mark size={40} />
          {name}
        </div>
        {children}
      </main>
    </>
  )
}
