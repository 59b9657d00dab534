import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { post } from '../../both/api/call-api.ts'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { meKey } from '../me.ts'
import css from '../view/view-banner.module.css'
import { profileWords as words } from '../words/profile.ts'

/** Warns a person whose second factor was reported as lost. One click keeps the factor and leads to a new password. */
export default function FactorLostBanner({ lostAt }: { readonly lostAt: string }) {
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const stopping = useMutation({
    mutationFn: () => post('/app/api/second-factor/keep'),
    onSuccess: () => {
      navigate('/profile/password')
      return queries.invalidateQueries({ queryKey: meKey })
    },
  })
  return (
    <aside className={css.banner} aria-label={words.lostLabel}>
      <div>
        <b>{words.lostTitle(relativeMoment(lostAt))}</b>
        <div className={css.detail}>{stopping.isError ? words.lostNotStopped : words.lostMeans}</div>
      </div>
      <Button variant="filled" loading={stopping.isPending} onClick={() => stopping.mutate()}>
        {words.lostStop}
      </Button>
    </aside>
  )
}
