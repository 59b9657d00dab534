import { useEffect, useState } from 'react'

/**
 * Reads the token of a mail's link, after the #. Removes it from the browser's address, so that neither the history nor a reload
 * shows it again.
 */
function takeTokenFromAddress(): string | undefined {
  const token = new URLSearchParams(window.location.hash.slice(1)).get('token')
  if (token === null) return undefined
  window.history.replaceState(null, '', window.location.pathname)
  return token
}

// Read when the script begins, before anything is drawn.
let taken = takeTokenFromAddress()

/** The token of the link that was opened; undefined without one, as after a reload. */
export function useLinkToken(): string | undefined {
  const [token, setToken] = useState(taken)
  useEffect(() => {
    // A second link that is opened in the same tab changes only the part after the #.
    const onChange = () => {
      const next = takeTokenFromAddress()
      if (next === undefined) return
      taken = next
      setToken(next)
    }
    window.addEventListener('hashchange', onChange)
    return () => window.removeEventListener('hashchange', onChange)
  }, [])
  return token
}
