let loading: Promise<void> | undefined

/**
 * Loads the style sheet of the screens, once. The HTML page only names its address, because the sign-in and Home do not need
 * it. If it cannot be loaded, the screens are shown without it.
 */
function loadScreensSheet(): Promise<void> {
  loading ??= new Promise((done) => {
    const href = document.querySelector<HTMLMetaElement>('meta[name=screens-sheet]')?.content
    if (href === undefined) return done()
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href, onload: done, onerror: done })
    // It goes before the styles that Mantine adds, because those must override it.
    document.querySelector('link[rel=stylesheet]')?.after(link)
    return undefined
  })
  return loading
}

/** Loads a part of the app together with the style sheet of the screens, which it needs. */
export async function loadWithSheet<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  const [loaded] = await Promise.all([load(), loadScreensSheet()])
  return loaded
}
