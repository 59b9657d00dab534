import { type ReactNode, useEffect } from 'react'
import { Logo } from '../layout/logo.tsx'
import { OfflineBanner } from '../layout/offline-banner.tsx'
import css from './sign-in.module.css'

type Props = {
  /** The app's name, beside the mark. */
  readonly name: string
  /** A message above the form that the person must read first. */
  readonly notice?: string | undefined
  readonly children: ReactNode
}

/** The frame of all screens for people who are not signed in: the mark, the app's name, and the form. */
export function SignInFrame({ name, notice, children }: Props) {
  useEffect(() => {
    document.title = name
  }, [name])
  return (
    <>
      <OfflineBanner />
      <main id="main" className={css.frame}>
        <div className={css.brand}>
          <Logo size={40} />
          {name}
        </div>
        {notice !== undefined && (
          <p className={css.notice} role="status">
            {notice}
          </p>
        )}
        {children}
      </main>
    </>
  )
}
